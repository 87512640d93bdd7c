# SPDX-License-Identifier: Apache-2.0
"""What it takes to verify an image at boot: a program for each preset that is for boot loaders.

The program is whole: start-up, C library, layer and libraries. Only key, image and signature
are not counted. Other software makes the keys and signs with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as building
from corral.build.image import Build, Options
from corral.common.progress import step
from corral.errors import fail
from corral.measure.image import LAYER
from corral.measure.size import image_of
from corral.run import program as run
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, HashAlgorithm
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_private_key,
)

from corral_bench import hash_trees
from corral_bench.families import BOARD
from corral_bench.rsa import private_key
from corral_bench.signatures import INSTRUCTIONS, LINE, METER

_APP = "../bench/apps/boot"
_IMAGE = bytes(range(256)) * 4
_SEED = bytes(range(32))
_VERIFY = "psa_verify_message"
_RSA_BITS = 3072
_WOLFCRYPT = {
    "CORRAL_DRIVER_WOLFCRYPT": "y",
    "CORRAL_WOLFCRYPT_SHAKE_TREES": "n",
    "CORRAL_DEFAULT_BY_WOLFCRYPT": "y",
}


def _ecdsa(curve: ec.EllipticCurve, digest: HashAlgorithm) -> tuple[bytes, bytes]:
    key = ec.derive_private_key(int.from_bytes(_SEED, "big"), curve)
    der = key.sign(_IMAGE, ec.ECDSA(digest, deterministic_signing=True))
    size = (curve.key_size + 7) // 8
    numbers = decode_dss_signature(der)
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return public, b"".join(number.to_bytes(size, "big") for number in numbers)


def _ed25519() -> tuple[bytes, bytes]:
    key = ed25519.Ed25519PrivateKey.from_private_bytes(_SEED)
    return key.public_key().public_bytes_raw(), key.sign(_IMAGE)


def _rsa() -> tuple[bytes, bytes]:
    key = load_der_private_key(private_key(_RSA_BITS), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    pss = padding.PSS(padding.MGF1(SHA256()), SHA256.digest_size)
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1)
    return public, key.sign(_IMAGE, pss, SHA256())


def _ml_dsa() -> tuple[bytes, bytes]:
    key = mldsa.MLDSA87PrivateKey.from_seed_bytes(_SEED)
    return key.public_key().public_bytes_raw(), key.sign(_IMAGE)


@dataclass(frozen=True)
class Loader:
    """The mechanism of a boot loader: its names in C, and the maker of key and signature."""

    name: str
    preset: str
    type: str
    alg: str
    sign: Callable[[], tuple[bytes, bytes]]
    bits: int = 0  # 0: those of the key's material
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return re.sub(r"\W+", "-", self.name.lower())


def _point(family: str) -> str:
    return f"PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_{family})"


def _tree(name: str, signed: Callable[[int, bytes], tuple[bytes, bytes]]) -> Loader:
    preset, key_type = f"boot-{name.lower()}", f"PSA_KEY_TYPE_{name}_PUBLIC_KEY"
    return Loader(name, preset, key_type, f"PSA_ALG_{name}", lambda: signed(32, _IMAGE))


_LMS = _tree("LMS", hash_trees.signed)
_HSS = _tree("HSS", hash_trees.signed_by_chain)
LOADERS = (
    Loader(
        "ECDSA P-256",
        "boot",
        _point("SECP_R1"),
        "PSA_ALG_ECDSA(PSA_ALG_SHA_256)",
        lambda: _ecdsa(ec.SECP256R1(), SHA256()),
    ),
    Loader(
        "ECDSA P-384",
        "boot-p384",
        _point("SECP_R1"),
        "PSA_ALG_ECDSA(PSA_ALG_SHA_384)",
        lambda: _ecdsa(ec.SECP384R1(), SHA384()),
    ),
    Loader(
        "Ed25519",
        "boot-ed25519",
        _point("TWISTED_EDWARDS"),
        "PSA_ALG_PURE_EDDSA",
        _ed25519,
    ),
    Loader(
        "RSA-3072, PSS",
        "boot-rsa",
        "PSA_KEY_TYPE_RSA_PUBLIC_KEY",
        "PSA_ALG_RSA_PSS(PSA_ALG_SHA_256)",
        _rsa,
    ),
    _LMS,
    replace(_LMS, name="LMS, by wolfCrypt", settings=_WOLFCRYPT),
    _HSS,
    replace(_HSS, name="HSS, by wolfCrypt", settings=_WOLFCRYPT),
    Loader(
        "ML-DSA-87",
        "boot-ml-dsa",
        "PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY",
        "PSA_ALG_ML_DSA",
        _ml_dsa,
        bits=256,
    ),
)


def _array(name: str, data: bytes) -> str:
    return f"static const uint8_t {name}[{len(data)}] = {{{', '.join(map(str, data))}}};\n"


def _write(loader: Loader, file: Path) -> int:
    """The header of the program; returns the bytes that are not counted."""
    key, signature = loader.sign()
    words = {"TYPE": loader.type, "BITS": str(loader.bits), "ALG": loader.alg}
    data = {"boot_key": key, "boot_image": _IMAGE, "boot_signature": signature}
    lines = [f"#define BOOT_{name} {value}\n" for name, value in words.items()]
    lines += [_array(name, value) for name, value in data.items()]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(lines), encoding="utf-8")
    return sum(map(len, data.values()))


def options(loader: Loader, lto: bool) -> tuple[Options, int]:
    """How to build the program, and the bytes of its data."""
    header = ROOT / "build" / "bench" / "boot" / f"{loader.label}.h"
    data = _write(loader, header)
    made = Options(
        settings={"CORRAL_DRIVER_ATECC608": "n", **loader.settings},
        presets=(loader.preset,),
        includes=(header.parent,),
        defines=(f"BOOT_DATA=<{header.name}>",),
        name=f"bench/boot-{loader.label}{'-lto' if lto else ''}",
        lto=lto,
    )
    return made, data


def build(loader: Loader, lto: bool) -> tuple[Build, int]:
    """The program, and the bytes of its data."""
    made, data = options(loader, lto)
    return building.build(_APP, BOARD, made), data


def sizes(loader: Loader, lto: bool) -> dict[str, int]:
    """Flash and variables of the whole image, without its data, and flash of the layer."""
    built, data = build(loader, lto)
    image = image_of(built)
    rom = image.rom()
    return {
        "flash": sum(rom.values()) - data,
        "layer": sum(rom[part] for part in LAYER),
        "ram": sum(image.ram().values()),
    }


def _call(loader: Loader) -> dict[str, int]:
    """Stack and instructions of the verification."""
    made, _data = options(loader, lto=False)
    metered = replace(
        made, name=f"{made.name}-meter", sources=(METER,), link_flags=(f"-Wl,--wrap={_VERIFY}",)
    )
    done = run.run(building.build(_APP, BOARD, metered), capture=True)
    found = LINE.search(done.stdout)
    if done.returncode or found is None:
        raise fail(loader.name, f"it failed: {done.stdout[-500:]}", "run the program by hand")
    count, stack, heap = map(int, found.groups()[1:])
    return {"instructions": count * INSTRUCTIONS, "stack": stack, "heap": heap}


def measure(loader: Loader) -> dict[str, Any]:
    """One row; plain data."""
    with_lto = sizes(loader, lto=True)
    lto = {"flash_lto": with_lto["flash"], "layer_lto": with_lto["layer"]}
    return {"name": loader.name, **sizes(loader, lto=False), **lto, **_call(loader)}


def measure_all() -> list[dict[str, Any]]:
    """All presets for boot loaders."""
    measured = []
    for loader in LOADERS:
        with step(f"measuring {loader.name} at boot"):
            measured.append(measure(loader))
    return measured


_HEADS = {
    "flash": "Flash",
    "flash_lto": "with LTO",
    "layer": "of it the layer",
    "layer_lto": "with LTO",
    "ram": "RAM",
    "heap": "Heap",
    "stack": "Stack",
}


def rows(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    made = [["Signature", *_HEADS.values(), "Million instructions"]]
    for each in measured:
        figures = [f"{each[name]:,}" for name in _HEADS]
        made.append([each["name"], *figures, f"{each['instructions'] / 1e6:.1f}"])
    return made
