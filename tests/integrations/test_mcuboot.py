# SPDX-License-Identifier: Apache-2.0
"""Corral below MCUboot: its configurations, by calls as MCUboot makes them, and its simulator.

CORRAL_MCUBOOT names a checkout of MCUboot for the latter. It takes hours.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ROOT = Path(__file__).resolve().parents[2]
MCUBOOT = ROOT / "integrations" / "mcuboot"
HERE = Path(__file__).resolve().parent / "mcuboot"
README = (MCUBOOT / "README.md").read_text(encoding="utf-8")
#: Whole blocks of AES, because imgtool fills the last one before it encrypts.
IMAGE = bytes(range(256)) * 5 + b"the end of image"
IMAGE_KEY = bytes(range(0x30, 0x50))

PublicKey = (
    ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey | x25519.X25519PublicKey
)
PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | x25519.X25519PrivateKey


def raw(key: PublicKey) -> bytes:
    """A public key as bootutil finds it in the key of the vendor."""
    if isinstance(key, ed25519.Ed25519PublicKey | x25519.X25519PublicKey):
        return key.public_bytes_raw()
    if isinstance(key, rsa.RSAPublicKey):
        return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def bytes_of(pair: PrivateKey) -> bytes:
    """A private key as bootutil finds it in the key of the device."""
    if isinstance(pair, x25519.X25519PrivateKey):
        return pair.private_bytes_raw()
    if isinstance(pair, ec.EllipticCurvePrivateKey):
        return pair.private_numbers().private_value.to_bytes(32, "big")
    return pair.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )


def plain_ecdsa(signature: bytes, size: int) -> bytes:
    return b"".join(n.to_bytes(size, "big") for n in utils.decode_dss_signature(signature))


def signed_ecdsa(curve: ec.EllipticCurve, digest: hashes.HashAlgorithm) -> tuple[bytes, bytes]:
    pair = ec.generate_private_key(curve)
    signature = pair.sign(IMAGE, ec.ECDSA(digest))
    return raw(pair.public_key()), plain_ecdsa(signature, curve.key_size // 8)


def signed_p256() -> tuple[bytes, bytes]:
    return signed_ecdsa(ec.SECP256R1(), hashes.SHA256())


def signed_p384() -> tuple[bytes, bytes]:
    return signed_ecdsa(ec.SECP384R1(), hashes.SHA384())


def signed_ed25519() -> tuple[bytes, bytes]:
    """The message is the hash of the image."""
    pair = ed25519.Ed25519PrivateKey.generate()
    return raw(pair.public_key()), pair.sign(digest_of(hashes.SHA256))


def signed_rsa(bits: int) -> tuple[bytes, bytes]:
    pair = rsa.generate_private_key(65537, bits)
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    return raw(pair.public_key()), pair.sign(IMAGE, scheme, hashes.SHA256())


def wrapped(shared: bytes, public: bytes, key: bytes) -> bytes:
    """The TLV of an image that is encrypted by ECIES."""
    derived = HKDF(hashes.SHA256(), len(key) + 32, None, b"MCUBoot_ECIES_v1").derive(shared)
    stream = Cipher(algorithms.AES(derived[: len(key)]), modes.CTR(bytes(16))).encryptor()
    hidden = stream.update(key)
    tag = hmac.HMAC(derived[len(key) :], hashes.SHA256())
    tag.update(hidden)
    return public + tag.finalize() + hidden


def wrapped_p256(key: bytes) -> tuple[bytes, bytes]:
    pair, other = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    shared = other.exchange(ec.ECDH(), pair.public_key())
    return bytes_of(pair), wrapped(shared, raw(other.public_key()), key)


def wrapped_x25519(key: bytes) -> tuple[bytes, bytes]:
    pair, other = (x25519.X25519PrivateKey.generate() for _ in range(2))
    shared = other.exchange(pair.public_key())
    return bytes_of(pair), wrapped(shared, raw(other.public_key()), key)


def wrapped_rsa(key: bytes) -> tuple[bytes, bytes]:
    pair = rsa.generate_private_key(65537, 2048)
    scheme = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
    return bytes_of(pair), pair.public_key().encrypt(key, scheme)


def digest_of(algorithm: type[hashes.HashAlgorithm]) -> bytes:
    made = hashes.Hash(algorithm())
    made.update(IMAGE)
    return made.finalize()


@dataclass(frozen=True)
class Case:
    """A build of a boot loader."""

    configs: tuple[str, ...]
    options: tuple[str, ...]
    signed: Callable[[], tuple[bytes, bytes]]
    wrapped: Callable[[bytes], tuple[bytes, bytes]] | None = None
    digest: type[hashes.HashAlgorithm] = hashes.SHA256


CASES = {
    "p256-ec256": Case(
        ("sign-ecdsa-p256", "encrypt-ec256"),
        ("MCUBOOT_SIGN_EC256", "MCUBOOT_ENCRYPT_EC256"),
        signed_p256,
        wrapped_p256,
    ),
    "p384": Case(("sign-ecdsa-p384",), ("MCUBOOT_SIGN_EC384",), signed_p384, digest=hashes.SHA384),
    "ed25519-x25519": Case(
        ("sign-ed25519", "encrypt-x25519"),
        ("MCUBOOT_SIGN_ED25519", "MCUBOOT_ENCRYPT_X25519"),
        signed_ed25519,
        wrapped_x25519,
    ),
    "rsa-2048": Case(
        ("sign-rsa-2048", "encrypt-rsa"),
        ("MCUBOOT_SIGN_RSA", "MCUBOOT_ENCRYPT_RSA"),
        lambda: signed_rsa(2048),
        wrapped_rsa,
    ),
    "rsa-3072": Case(("sign-rsa-3072",), ("MCUBOOT_SIGN_RSA",), lambda: signed_rsa(3072)),
}


@dataclass(frozen=True)
class Loader:
    """The program for a case, and one for keys of 256 bits."""

    case: Case
    folder: Path

    def build(self) -> None:
        config = self.folder / "boot.config"
        parts = [(MCUBOOT / "configs" / f"{name}.config").read_text() for name in self.case.configs]
        config.write_text("\n".join(parts))
        board = MCUBOOT / "simulator" / "board"
        # Both ways that the README shows.
        if self.case.wrapped is None:
            self.done([ROOT / "corral", "export", config, board, self.folder / "crypto"])
            headers, linked = self.folder / "crypto" / "include", self.compiled()
        else:
            self.done([ROOT / "corral", "library", config, board, "--prefix", self.folder])
            headers, linked = self.folder / "include", [self.folder / "lib" / "libcorral.a"]
        for name, more in (("boot", ()), ("boot-256", ("MCUBOOT_AES_256",))):
            options = [f"-D{option}" for option in (*self.case.options, *more)]
            options += ["-DMCUBOOT_USE_PSA_CRYPTO", "-DCORRAL_WITHOUT_MBEDTLS"]
            if self.case.wrapped is not None:
                options.append("-DMCUBOOT_ENC_IMAGES")
            sources = (HERE / "boot.c", MCUBOOT / "aes_ctr.c", MCUBOOT / "simulator" / "glue.c")
            flags = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
            flags += [f"-I{path}" for path in (MCUBOOT / "include", HERE / "include", headers)]
            self.done(["cc", *flags, *options, *sources, "-o", self.folder / name, *linked])

    def compiled(self) -> list[Path]:
        """The objects of an export."""
        crypto = self.folder / "crypto"
        flags = ["-fno-strict-aliasing", f"-I{crypto / 'src'}", f"-I{crypto / 'include'}"]
        linked = []
        for number, path in enumerate(sorted((crypto / "src").rglob("*.c"))):
            linked.append(self.folder / f"{number}.o")
            self.done(["cc", "-Os", *flags, "-c", path, "-o", linked[-1]])
        return linked

    def done(self, command: Sequence[str | Path]) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def says(self, *words: str | bytes, program: str = "boot") -> str:
        plain = [word.hex() if isinstance(word, bytes) else word for word in words]
        return self.done([self.folder / program, *plain])


WITH_ENCRYPTION = [name for name, case in CASES.items() if case.wrapped is not None]
SIZES = pytest.mark.parametrize(("program", "size"), [("boot", 16), ("boot-256", 32)])


@pytest.fixture(scope="module")
def loaders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Loader]:
    """Builds each case once."""

    @cache
    def built(name: str) -> Loader:
        made = Loader(CASES[name], tmp_path_factory.mktemp(name))
        made.build()
        return made

    return built


def flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("name", CASES)
def test_image_is_verified_and_a_changed_one_is_rejected(
    loaders: Callable[[str], Loader], name: str
) -> None:
    loader = loaders(name)
    digest = digest_of(loader.case.digest)
    key, signature = loader.case.signed()
    assert loader.says("hash", IMAGE) == digest.hex()
    assert loader.says("verify", key, digest, signature) == "yes"
    assert loader.says("verify", key, flipped(digest), signature) == "no"
    assert loader.says("verify", key, digest, flipped(signature)) == "no"


@SIZES
@pytest.mark.parametrize("name", WITH_ENCRYPTION)
def test_key_of_an_encrypted_image_is_unwrapped(
    loaders: Callable[[str], Loader], name: str, program: str, size: int
) -> None:
    loader = loaders(name)
    assert loader.case.wrapped is not None
    pair, tlv = loader.case.wrapped(IMAGE_KEY[:size])
    assert loader.says("unwrap", pair, tlv, program=program) == IMAGE_KEY[:size].hex()
    assert loader.says("unwrap", pair, flipped(tlv), program=program) == "no"


@pytest.mark.parametrize("skipped", [0, 5, 15])
@SIZES
def test_image_encrypted_with_rsa_is_decrypted_from_within_a_block(
    loaders: Callable[[str], Loader], program: str, size: int, skipped: int
) -> None:
    """By aes_ctr.c. For ECIES bootutil has these functions."""
    counter = bytes(14) + b"\x12\xff"
    key = IMAGE_KEY[:size]
    stream = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
    data = IMAGE + b"odd"
    expected = stream.update(bytes(skipped) + data)[skipped:]
    loader = loaders("rsa-2048")
    words = ("stream", key, counter, bytes([skipped]), data)
    assert loader.says(*words, program=program) == expected.hex()


#: Signatures and encrypted keys in an image: see the document of MCUboot's image format.
_SIGNATURES = (0x20, 0x22, 0x23, 0x24)
_DIGESTS = (0x10, 0x11)
_ENCRYPTED_KEYS = (0x30, 0x32, 0x33)
#: Types of keys of imgtool.
KEYS = {
    "p256-ec256": ("ecdsa-p256", "ecdsa-p256"),
    "p384": ("ecdsa-p384", ""),
    "ed25519-x25519": ("ed25519", "x25519"),
    "rsa-2048": ("rsa-2048", "rsa-2048"),
    "rsa-3072": ("rsa-3072", ""),
}


def imgtool(folder: Path, *words: str) -> None:
    command = [Path(sys.executable).with_name("imgtool"), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def parts_of(image: bytes) -> tuple[bytes, bytes, dict[int, bytes]]:
    """The header, the content, and the values behind it by their types."""
    magic, _, header_size, protected, size = struct.unpack_from("<IIHHI", image)
    assert (magic, protected) == (0x96F3B83D, 0)
    end = header_size + size
    magic, total = struct.unpack_from("<HH", image, end)
    assert magic == 0x6907
    values, at = {}, end + 4
    while at < end + total:
        kind, length = struct.unpack_from("<HH", image, at)
        values[kind] = image[at + 4 : at + 4 + length]
        at += 4 + length
    return image[:header_size], image[header_size:end], values


def only(values: dict[int, bytes], kinds: Sequence[int]) -> bytes:
    (found,) = (value for kind, value in values.items() if kind in kinds)
    return found


@pytest.mark.parametrize("name", CASES)
def test_image_that_imgtool_makes_is_decrypted_and_verified(
    loaders: Callable[[str], Loader], name: str, tmp_path: Path
) -> None:
    loader, (signs, encrypts) = loaders(name), KEYS[name]
    (tmp_path / "app.bin").write_bytes(IMAGE)
    sign = ["sign", "--header-size", "0x200", "--align", "8", "--version", "1.0.0"]
    sign += ["--slot-size", "0x60000", "--pad-header", "--key", "key.pem"]
    imgtool(tmp_path, "keygen", "--key", "key.pem", "--type", signs)
    if encrypts:
        imgtool(tmp_path, "keygen", "--key", "enc.pem", "--type", encrypts)
        sign += ["--encrypt", "enc.pem"]
    imgtool(tmp_path, *sign, "app.bin", "signed.bin")
    header, content, values = parts_of((tmp_path / "signed.bin").read_bytes())
    if encrypts:
        pair = serialization.load_pem_private_key((tmp_path / "enc.pem").read_bytes(), None)
        key = bytes.fromhex(loader.says("unwrap", bytes_of(pair), only(values, _ENCRYPTED_KEYS)))
        content = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).decryptor().update(content)
    assert content == IMAGE
    digest = bytes.fromhex(loader.says("hash", header + content))
    assert digest == only(values, _DIGESTS)
    vendor = serialization.load_pem_private_key((tmp_path / "key.pem").read_bytes(), None)
    signature = only(values, _SIGNATURES)
    if isinstance(vendor, ec.EllipticCurvePrivateKey):
        signature = plain_ecdsa(signature, vendor.curve.key_size // 8)
    assert loader.says("verify", raw(vendor.public_key()), digest, signature) == "yes"
    assert loader.says("verify", raw(vendor.public_key()), flipped(digest), signature) == "no"


@pytest.fixture(scope="module")
def check() -> ModuleType:
    """check.py, which any Python 3.11 runs."""
    spec = importlib.util.spec_from_file_location("mcuboot_check", MCUBOOT / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_each_configuration_is_judged_and_tested(check: ModuleType) -> None:
    names = {path.stem for path in (MCUBOOT / "configs").iterdir()}
    assert {name for one in check.JUDGES for name in one.configs} == names
    assert {name for case in CASES.values() for name in case.configs} == names
    assert all(f"`{name}`" in README for name in names)


def test_features_of_each_row_mean_something_to_the_build_script(check: ModuleType) -> None:
    script = (MCUBOOT / "simulator" / "build.rs").read_text(encoding="utf-8")
    known = set(re.findall(r'"([a-z0-9-]+)"', script))
    assert {word for one in check.JUDGES for word in one.features.split()} <= known


def test_table_of_the_readme_has_rows_of_the_check(check: ModuleType) -> None:
    rows = re.findall(r"^\| `([a-z0-9 -]+)` \| \d+ of \d+ \|$", README, re.M)
    assert rows
    assert rows == [one.features for one in check.JUDGES if one.features in rows]


def refused(path: str, *words: str | Path) -> str:
    """The one line of an error of check.sh."""
    done = subprocess.run(
        [MCUBOOT / "check.sh", *words],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    said = refused(os.environ["PATH"], tmp_path)
    assert "is no checkout of MCUboot 2.4 or newer (boot/bootutil is missing)" in said
    assert not list(tmp_path.iterdir())


def test_checkout_without_psa_crypto_is_refused(tmp_path: Path) -> None:
    for name in ("boot/bootutil", "ext/mbedtls-asn1", "sim"):
        (tmp_path / name).mkdir(parents=True)
    assert "(boot/bootutil/src/encrypted_psa.c is missing)" in refused(os.environ["PATH"], tmp_path)


def test_row_that_is_unknown_and_absent_cargo_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "mcuboot" / "boot" / "bootutil" / "src"
    source.mkdir(parents=True)
    (source / "encrypted_psa.c").touch()
    for name in ("ext/mbedtls-asn1", "sim"):
        (tmp_path / "mcuboot" / name).mkdir(parents=True)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, program in (("python3", sys.executable), ("dirname", shutil.which("dirname"))):
        (programs / name).symlink_to(str(program))
    assert "no cargo" in refused(str(programs), tmp_path / "mcuboot")
    (programs / "cargo").symlink_to("/bin/false")
    words = ("--only", "sig-ed25519", "--only", "sig-unheard")
    said = refused(str(programs), tmp_path / "mcuboot", *words)
    assert "no such row: sig-unheard: name one of sig-ecdsa-psa, " in said


def test_row_that_a_checkout_lacks_is_named_and_not_built(
    check: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    checkout = tmp_path / "mcuboot"
    source = checkout / "boot" / "bootutil" / "src"
    (checkout / "sim" / "mcuboot-sys").mkdir(parents=True)
    (checkout / "ext" / "mbedtls-asn1").mkdir(parents=True)
    source.mkdir(parents=True)
    (source / "encrypted_psa.c").touch()
    (checkout / "sim" / "Cargo.toml").write_text("[features]\nsig-ed25519 = []\n")
    (tmp_path / "cargo").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(check, "WORK", tmp_path / "work")
    assert check.main([str(checkout), "--only", "sig-ed25519 direct-xip"]) == 0
    assert "| `sig-ed25519 direct-xip` | absent: direct-xip | 0 |" in capsys.readouterr().out


def test_build_script_is_formatted() -> None:
    if shutil.which("rustfmt") is None:
        pytest.skip("this cargo comes without rustfmt")
    command = ["rustfmt", "--edition", "2021", "--check", MCUBOOT / "simulator" / "build.rs"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_simulator_passes_over_corral() -> None:
    mcuboot = os.environ.get("CORRAL_MCUBOOT")
    if mcuboot is None:
        pytest.skip("CORRAL_MCUBOOT names no checkout of MCUboot")
    done = subprocess.run(
        [MCUBOOT / "check.sh", mcuboot], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
