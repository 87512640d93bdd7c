# SPDX-License-Identifier: Apache-2.0
"""Vectors that no package has, typed in from where each list says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from .row import CURVES, Row

# Of the message 00 01 02 ..., by its length: ascon-c, the designers' reference implementation of
# SP 800-232, asconhash256/LWC_HASH_KAT_128_256.txt and asconxof128/LWC_XOF_KAT_128_512.txt.
ASCON_HASH = {
    0: "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2",
    1: "0728621035af3ed2bca03bf6fde900f9456f5330e4b5ee23e7f6a1e70291bc80",
    7: "3e4d273ba69b3b9c53216107e88b75cdbeedbcbf8faf0219c3928ab62b116577",
    8: "b88e497ae8e6fb641b87ef622eb8f2fca0ed95383f7ffebe167acf1099ba764f",
    9: "94269c30e0296e1ec86655041841823efa1927f520fd58c8e9bce6197878c1a6",
    15: "6421330df99c05eb715415ee17b455f2674f862ae3cc5badffe43a4a3ed273e1",
    16: "3158c1940a2fbadbd68ab661777859b94a689e4efc375911467addd641835c38",
    17: "f149e99dd0f429599bb89b8079bf3f4dca3f298efefcf9b1ea16fe84f9b8b6e2",
    63: "5072896862f6b9cfe8ef76d80559e156254782a40ac5f64cbf7934ad1f624b30",
    64: "a6f241bea5d16405812c06019d9f72d60132bd7c089c60549b2e56bb01c64f48",
    65: "bff4fa006fe6feabb5ce9b219492d0d230f4d05f2bac42db7189f441b1e83b53",
    255: "ada496e2c0ade829f37832a8ba34cf6059dffbb3beba88ca5ded3363914ea69a",
    1024: "48140032bb7df2e2b5c95d403c9ab69b4bc00453980bf85f15a84cae2b09a0e9",
}
ASCON_XOF = {
    0: (
        "473d5e6164f58b39dfd84aacdb8ae42ec2d91fed33388ee0d960d9b3993295c6ad77855a5d3b13fe6ad9e609"
        "8988373af7d0956d05a8f1665d2c67d1a3ad10ff"
    ),
    1: (
        "51430e0438ecdf642b393630d977625f5f337656ba58ab1e960784ac32a16e0d446405551f5469384f8ea283"
        "cf12e64fa72c426bfebaea3aa1529e2c4ab23a2f"
    ),
    7: (
        "7ae562db37212a9acd2673ecfd5b4f1c5cb2e6f64ebf00aa7f6ef8dc82c448d5fe11cd91f4368c37690d79e5"
        "de0ca8ad419e1918ce8dab2d42363e9476638a7b"
    ),
    8: (
        "8d1886f5d3ec4af8d15b44bc62b74da6ea91bc28fb82f9c34079b5ed6e38b6c951803d7dfb3c5e512a0ef5e4"
        "060062a6fd067f9c73ef9bee527411bda67fc896"
    ),
    9: (
        "db3013bfbbd132dc1d3152fd955ed48f7cbb675e9ad2a2fecf92b74c957592e0c89959e81c16fd07ead9eeb8"
        "e40359c497aa20258b43d87ec69ad0bb0993fd38"
    ),
    64: (
        "0865c2fa92c71058e79e5c4214f3a1505540411586920536ccee85fbf2940b9f0131385ffe92f15f35bd3537"
        "3f14d8bf11f078d9850096016f857d27575da423"
    ),
    255: (
        "a9d663c5d71b4a4250812e90cd4711694cbba7cfc160acf97578d5ecd7902be478b87f9e7f3ef27f561e5462"
        "2a6229b2932827ea2eab8726046d8379c30f3bc6"
    ),
}
# The same, by the lengths of message and context, the latter 10 11 12 ...: asconcxof128,
# LWC_CXOF_KAT_128_512.txt.
ASCON_CXOF = {
    (0, 0): (
        "4f50159ef70bb3dad8807e034eaebd44c4fa2cbbc8cf1f05511ab66cdcc529905ca12083fc186ad899b270b1"
        "473dc5f7ec88d1052082dcdfe69fb75d269e7b74"
    ),
    (0, 1): (
        "0c93a483e7d574d49fe52cce03ee646117977d57a8aa57704ab4daf44b501430ff6ac11a5d1fd6f2154b5c65"
        "728268270c8bb578508487b8965718ada6272fd6"
    ),
    (0, 8): (
        "61324766441dd6c11e1736bad1d2185820885ed76fe2ce537775a6e855eeafd2a6651b5e862a44982765f8b4"
        "c7cbe9c8b354f569ead6abc62cc9b7cdd72e0cb3"
    ),
    (7, 7): (
        "30a89dc47334e56c7d78ee2b72ecf09c2113b2128f04f75bcfa4eb52f491b76286d0cf6500c4b5f345e22b6e"
        "6c01f58167e1caeccf97961f31b56ef8d0c6d308"
    ),
    (8, 8): (
        "7c2fc5904cc9ac514902e50747e36f993dbde034cb05587af1432bf81c74b1ec87ecf6179701064494487476"
        "f607715853d74c5727925ebf4974e25eb8878919"
    ),
    (9, 17): (
        "09111d4017ab842f2a588a76c5ef1328bd1707fd62b32434bd16ebf0eb803bd0b4f6f8984cd2d66b9c252a2b"
        "d06118ac4ed6a6f992a91f6d42a1048fd138d69f"
    ),
    (31, 15): (
        "d5fea5ecd58a2a7d933ccd2ce5e31e4054ecfb1765035f2504ad42785581ce708c7d609f4162419cb8561862"
        "e9121f52242172f72c66a53f14465de890c971a9"
    ),
    (32, 32): (
        "f22e68afdbc5ced421b3679e8606666b1e9f080ef42a70ef9bc32d764dddf27fcd879490428977c5ac7d7db6"
        "cb16c9e26a2cea1586ec0ae2aa5c8b0135cfc38c"
    ),
}

# RFC 8032, 7.5: secret and public key, what SHAKE256 makes of "abc", and the signatures of that by
# their contexts.
ED448PH_SECRET = (
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42ef7822e0d5104127dc05d6db"
    "efde69e3ab2cec7c867c6e2c49"
)
ED448PH_PUBLIC = (
    "259b71c19f83ef77a7abd26524cbdb3161b590a48f7d17de3ee0ba9c52beb743c09428a131d6b1b57303d90d"
    "8132c276d5ed3d5d01c0f53880"
)
ED448PH = {
    "": (
        "822f6901f7480f3d5f562c592994d9693602875614483256505600bbc281ae381f54d6bce2ea911574932f52"
        "a4e6cadd78769375ec3ffd1b801a0d9b3f4030cd433964b6457ea39476511214f97469b57dd32dbc560a9a94"
        "d00bff07620464a3ad203df7dc7ce360c3cd3696d9d9fab90f00"
    ),
    "foo": (
        "c32299d46ec8ff02b54540982814dce9a05812f81962b649d528095916a2aa481065b1580423ef927ecf0af5"
        "888f90da0f6a9a85ad5dc3f280d91224ba9911a3653d00e484e2ce232521481c8658df304bb7745a73514cdb"
        "9bf3e15784ab71284f8d0704a608c54a6b62d97beb511d132100"
    ),
}


def _count(length: int, start: int = 0) -> bytes:
    return bytes((start + i) % 256 for i in range(length))


def ascon() -> Iterator[Row]:
    for length, digest in ASCON_HASH.items():
        yield Row(f"{length} bytes", "ASCON_HASH256", "ascon-c", "HASH", "PSA_ALG_ASCON_HASH256",
                  input=_count(length), output=bytes.fromhex(digest))  # fmt: skip
    for length, output in ASCON_XOF.items():
        yield Row(f"{length} bytes", "ASCON_XOF128", "ascon-c", "XOF", "PSA_ALG_ASCON_XOF128",
                  input=_count(length), output=bytes.fromhex(output))  # fmt: skip
    for (length, context), output in ASCON_CXOF.items():
        yield Row(f"{length} bytes, context of {context}", "ASCON_CXOF128", "ascon-c", "XOF",
                  "PSA_ALG_ASCON_CXOF128", iv=_count(context, 16), input=_count(length),
                  output=bytes.fromhex(output))  # fmt: skip


def ed448ph() -> Iterator[Row]:
    curve, alg = CURVES["ed448"], "PSA_ALG_ED448PH"
    digest = hashlib.shake_256(b"abc").digest(64)
    for context, signature in ED448PH.items():
        title = f"abc, context of {len(context)}"
        yield Row(title, f"ED448PH_SIGN_{curve.mechanism}", "RFC 8032", "SIGN_HASH", alg,
                  curve.pair, bytes.fromhex(ED448PH_SECRET), context.encode(), digest,
                  bytes.fromhex(signature))  # fmt: skip
        yield Row(title, f"ED448PH_VERIFY_{curve.mechanism}", "RFC 8032", "VERIFY_HASH", alg,
                  curve.public, bytes.fromhex(ED448PH_PUBLIC), context.encode(), digest,
                  bytes.fromhex(signature))  # fmt: skip


def rows() -> Iterator[Row]:
    yield from ascon()
    yield from ed448ph()
