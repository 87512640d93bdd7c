// SPDX-License-Identifier: Apache-2.0
//! Build script of MCUboot's simulator, with Corral below bootutil and no other crypto library.
//!
//! check.py puts this file in place of the simulator's own, in a copy of the checkout. It sets
//! CORRAL_INTEGRATION (the folder of the integration), CORRAL_PREFIX (an installed library of
//! Corral) and CORRAL_MBEDTLS (sources of Mbed TLS, which encrypts keys of images for RSA).

use std::env;
use std::path::{Path, PathBuf};

const RSA_KEYS: &[&str] = &["enc-rsa", "enc-aes256-rsa"];
const EC256_KEYS: &[&str] = &["enc-ec256", "enc-aes256-ec256"];
const X25519_KEYS: &[&str] = &["enc-x25519", "enc-aes256-x25519"];
const AES_256_KEYS: &[&str] = &["enc-aes256-ec256", "enc-aes256-rsa", "enc-aes256-x25519"];

/// Options of bootutil, each for builds with one of these features of the simulator.
const OPTIONS: &[(&str, &[&str])] = &[
    ("MCUBOOT_AES_256", AES_256_KEYS),
    ("MCUBOOT_BOOTSTRAP", &["bootstrap"]),
    ("MCUBOOT_DIRECT_XIP", &["direct-xip"]),
    ("MCUBOOT_DOWNGRADE_PREVENTION", &["downgrade-prevention"]),
    ("MCUBOOT_ENCRYPT_EC256", EC256_KEYS),
    ("MCUBOOT_ENCRYPT_RSA", RSA_KEYS),
    ("MCUBOOT_ENCRYPT_X25519", X25519_KEYS),
    ("MCUBOOT_ENC_IMAGES", EC256_KEYS),
    ("MCUBOOT_ENC_IMAGES", RSA_KEYS),
    ("MCUBOOT_ENC_IMAGES", X25519_KEYS),
    ("MCUBOOT_HW_ROLLBACK_PROT", &["hw-rollback-protection"]),
    ("MCUBOOT_OVERWRITE_ONLY", &["overwrite-only"]),
    ("MCUBOOT_RAM_LOAD", &["ram-load"]),
    ("MCUBOOT_SIGN_ED25519", &["sig-ed25519"]),
    ("MCUBOOT_SIGN_KEY_2", &["sig-second-key"]),
    ("MCUBOOT_SIGN_RSA", &["sig-rsa", "sig-rsa3072"]),
    ("MCUBOOT_SIGN_RSA_LEN=2048", &["sig-rsa"]),
    ("MCUBOOT_SIGN_RSA_LEN=3072", &["sig-rsa3072"]),
    ("MCUBOOT_SWAP_SAVE_ENCTLV", EC256_KEYS),
    ("MCUBOOT_SWAP_SAVE_ENCTLV", X25519_KEYS),
    ("MCUBOOT_SWAP_USING_MOVE", &["swap-move"]),
    ("MCUBOOT_SWAP_USING_OFFSET", &["swap-offset"]),
    ("MCUBOOT_VALIDATE_PRIMARY_SLOT", &["validate-primary-slot"]),
    // Without these, encrypted.c has a decryption of its own, by other libraries.
    ("CONFIG_BOOT_ECDSA_PSA", EC256_KEYS),
    ("CONFIG_BOOT_ED25519_PSA", X25519_KEYS),
];

/// Options of every build.
const ALWAYS: &[&str] = &[
    "__BOOTSIM__",
    "MCUBOOT_HAVE_ASSERT_H",
    "MCUBOOT_HAVE_LOGGING",
    "MCUBOOT_MAX_IMG_SECTORS=128",
    "MCUBOOT_USE_FLASH_AREA_GET_SECTORS",
    "MCUBOOT_USE_PSA_CRYPTO",
];

/// Features by which an image is not swapped through a scratch area.
const WITHOUT_SCRATCH: &[&str] =
    &["direct-xip", "overwrite-only", "ram-load", "swap-move", "swap-offset"];

/// Sources of bootutil that every build has.
const SOURCES: &[&str] = &[
    "bootutil_area",
    "bootutil_find_key",
    "bootutil_img_hash",
    "bootutil_img_security_cnt",
    "bootutil_loader",
    "bootutil_misc",
    "bootutil_public",
    "caps",
    "fault_injection_hardening",
    "image_validate",
    "loader",
    "swap_misc",
    "swap_move",
    "swap_offset",
    "swap_scratch",
    "tlv",
];

/// Further sources, each for builds with one of these features.
const MORE_SOURCES: &[(&str, &[&str])] = &[
    ("ed25519_psa", &["sig-ed25519"]),
    ("encrypted", EC256_KEYS),
    ("encrypted", RSA_KEYS),
    ("encrypted", X25519_KEYS),
    ("encrypted_psa", EC256_KEYS),
    ("encrypted_psa", X25519_KEYS),
    ("image_ecdsa", &["sig-ecdsa-psa"]),
    ("image_ed25519", &["sig-ed25519"]),
    ("image_rsa", &["sig-rsa", "sig-rsa3072"]),
    ("ram_load", &["ram-load"]),
];

/// Sources of Mbed TLS that encrypt with RSA.
const MBEDTLS_SOURCES: &[&str] = &[
    "asn1parse",
    "bignum",
    "bignum_core",
    "constant_time",
    "md",
    "oid",
    "platform",
    "platform_util",
    "rsa",
    "rsa_alt_helpers",
    "sha256",
];

fn has(feature: &str) -> bool {
    let name = feature.to_uppercase().replace('-', "_");
    env::var(format!("CARGO_FEATURE_{name}")).is_ok()
}

fn has_any(features: &[&str]) -> bool {
    features.iter().any(|feature| has(feature))
}

fn chosen(table: &[(&'static str, &[&str])]) -> Vec<&'static str> {
    table.iter().filter(|(_, features)| has_any(features)).map(|(name, _)| *name).collect()
}

fn folder(variable: &str) -> PathBuf {
    println!("cargo:rerun-if-env-changed={variable}");
    PathBuf::from(env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set")))
}

/// The options that depend on more than one feature.
fn mixed_options() -> Vec<&'static str> {
    let mut options = vec![
        match (has("max-align-32"), has("max-align-16")) {
            (true, _) => "MCUBOOT_BOOT_MAX_ALIGN=32",
            (false, true) => "MCUBOOT_BOOT_MAX_ALIGN=16",
            (false, false) => "MCUBOOT_BOOT_MAX_ALIGN=8",
        },
        if has("multiimage") { "MCUBOOT_IMAGE_NUMBER=2" } else { "MCUBOOT_IMAGE_NUMBER=1" },
    ];
    if has("bootstrap") && !has_any(&["swap-move", "swap-offset"]) {
        options.push("MCUBOOT_OVERWRITE_ONLY_FAST");
    }
    if has("sig-ecdsa-psa") {
        options.push(if has("sig-p384") { "MCUBOOT_SIGN_EC384" } else { "MCUBOOT_SIGN_EC256" });
    }
    if !has_any(WITHOUT_SCRATCH) {
        options.extend(["CONFIG_BOOT_SWAP_USING_SCRATCH", "MCUBOOT_SWAP_USING_SCRATCH"]);
    }
    options
}

/// Options, headers and flags that all C of the simulator shares.
fn shared(ours: &Path, installed: &Path, bootutil: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build.debug(true).std("c99").flag("-Wall").flag("-Werror");
    build.include(ours.join("include")).include(installed.join("include"));
    build.include(bootutil.join("include")).include("csupport");
    for option in [ALWAYS.to_vec(), chosen(OPTIONS), mixed_options()].concat() {
        match option.split_once('=') {
            Some((name, value)) => build.define(name, value),
            None => build.define(option, None),
        };
    }
    build
}

fn main() {
    let ours = folder("CORRAL_INTEGRATION");
    let installed = folder("CORRAL_PREFIX");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    let bootutil = root.join("boot/bootutil");
    let asn1 = root.join("ext/mbedtls-asn1");

    // For RSA, Mbed TLS encrypts the keys of the simulator's images. Corral decrypts them.
    let mut simulator = shared(&ours, &installed, &bootutil);
    if has_any(RSA_KEYS) {
        let mbedtls = folder("CORRAL_MBEDTLS");
        simulator.define("MBEDTLS_CONFIG_FILE", "<mbedtls_rsa_config.h>");
        simulator.include(ours.join("simulator")).include(mbedtls.join("include"));
        for name in MBEDTLS_SOURCES {
            simulator.file(mbedtls.join(format!("library/{name}.c")));
        }
    } else {
        simulator.define("CORRAL_WITHOUT_MBEDTLS", None).include(asn1.join("include"));
    }
    simulator.file("csupport/keys.c").file("csupport/run.c");
    simulator.file(ours.join("simulator/glue.c"));
    if has("hw-rollback-protection") {
        simulator.file("csupport/security_cnt.c");
    }

    let mut build = shared(&ours, &installed, &bootutil);
    build.define("MBEDTLS_CONFIG_FILE", "<corral_asn1_config.h>").include(asn1.join("include"));
    for name in [SOURCES.to_vec(), chosen(MORE_SOURCES)].concat() {
        build.file(bootutil.join(format!("src/{name}.c")));
    }
    build.file(ours.join("aes_ctr.c"));
    if !has_any(RSA_KEYS) {
        build.file(asn1.join("src/asn1parse.c")).file(asn1.join("src/platform_util.c"));
    }

    simulator.compile("simulator");
    build.compile("bootutil");
    // A linker looks for the functions that bootutil calls in libraries behind it.
    println!("cargo:rustc-link-lib=static=simulator");
    println!("cargo:rustc-link-search=native={}", installed.join("lib").display());
    println!("cargo:rustc-link-lib=static=corral");
    for watched in [ours, installed, root.join("boot"), root.join("sim/mcuboot-sys/csupport")] {
        println!("cargo:rerun-if-changed={}", watched.display());
    }
}
