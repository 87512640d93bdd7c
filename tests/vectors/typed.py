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

# RFC 8032, 7.5: secret and public key, the hash of "abc" by SHAKE256, and its signatures by their
# contexts.
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

# RFC 8554, appendix F, test case 1: two trees of height 5. The upper one signs the key of the
# other, which the signature holds between the two.
HSS_MESSAGE = (
    b"The powers not delegated to the United States by the Constitution, nor prohibited by it to "
    b"the States, are reserved to the States respectively, or to the people.\n"
)
HSS_PUBLIC = (
    "00000002000000050000000461a5d57d37f5e46bfb7520806b07a1b850650e3b31fe4a773ea29a07f09cf2ea"
    "30e579f0df58ef8e298da0434cb2b878"
)
HSS_SIGNATURE = (
    "000000010000000500000004d32b56671d7eb98833c49b433c272586bc4a1c8a8970528ffa04b966f9426eb9"
    "965a25bfd37f196b9073f3d4a232feb69128ec45146f86292f9dff9610a7bf95a64c7f60f6261a62043f86c7"
    "0324b7707f5b4a8a6e19c114c7be866d488778a0e05fd5c6509a6e61d559cf1a77a970de927d60c70d3de31a"
    "7fa0100994e162a2582e8ff1b10cd99d4e8e413ef469559f7d7ed12c838342f9b9c96b83a4943d1681d84b15"
    "357ff48ca579f19f5e71f18466f2bbef4bf660c2518eb20de2f66e3b14784269d7d876f5d35d3fbfc7039a46"
    "2c716bb9f6891a7f41ad133e9e1f6d9560b960e7777c52f060492f2d7c660e1471e07e72655562035abc9a70"
    "1b473ecbc3943c6b9c4f2405a3cb8bf8a691ca51d3f6ad2f428bab6f3a30f55dd9625563f0a75ee390e385e3"
    "ae0b906961ecf41ae073a0590c2eb6204f44831c26dd768c35b167b28ce8dc988a3748255230cef99ebf14e7"
    "30632f27414489808afab1d1e783ed04516de012498682212b07810579b250365941bcc98142da13609e9768"
    "aaf65de7620dabec29eb82a17fde35af15ad238c73f81bdb8dec2fc0e7f932701099762b37f43c4a3c20010a"
    "3d72e2f606be108d310e639f09ce7286800d9ef8a1a40281cc5a7ea98d2adc7c7400c2fe5a101552df4e3ccc"
    "fd0cbf2ddf5dc6779cbbc68fee0c3efe4ec22b83a2caa3e48e0809a0a750b73ccdcf3c79e6580c154f8a58f7"
    "f24335eec5c5eb5e0cf01dcf4439424095fceb077f66ded5bec73b27c5b9f64a2a9af2f07c05e99e5cf80f00"
    "252e39db32f6c19674f190c9fbc506d826857713afd2ca6bb85cd8c107347552f30575a5417816ab4db3f603"
    "f2df56fbc413e7d0acd8bdd81352b2471fc1bc4f1ef296fea1220403466b1afe78b94f7ecf7cc62fb92be14f"
    "18c2192384ebceaf8801afdf947f698ce9c6ceb696ed70e9e87b0144417e8d7baf25eb5f70f09f016fc925b4"
    "db048ab8d8cb2a661ce3b57ada67571f5dd546fc22cb1f97e0ebd1a65926b1234fd04f171cf469c76b884cf3"
    "115cce6f792cc84e36da58960c5f1d760f32c12faef477e94c92eb75625b6a371efc72d60ca5e908b3a7dd69"
    "fef0249150e3eebdfed39cbdc3ce9704882a2072c75e13527b7a581a556168783dc1e97545e31865ddc46b3c"
    "957835da252bb7328d3ee2062445dfb85ef8c35f8e1f3371af34023cef626e0af1e0bc017351aae2ab8f5c61"
    "2ead0b729a1d059d02bfe18efa971b7300e882360a93b025ff97e9e0eec0f3f3f13039a17f88b0cf808f4884"
    "31606cb13f9241f40f44e537d302c64a4f1f4ab949b9feefadcb71ab50ef27d6d6ca8510f150c85fb525bf25"
    "703df7209b6066f09c37280d59128d2f0f637c7d7d7fad4ed1c1ea04e628d221e3d8db77b7c878c9411cafc5"
    "071a34a00f4cf07738912753dfce48f07576f0d4f94f42c6d76f7ce973e9367095ba7e9a3649b7f461d9f9ac"
    "1332a4d1044c96aefee67676401b64457c54d65fef6500c59cdfb69af7b6dddfcb0f086278dd8ad0686078df"
    "b0f3f79cd893d314168648499898fbc0ced5f95b74e8ff14d735cdea968bee7400000005d8b8112f9200a5e5"
    "0c4a262165bd342cd800b8496810bc716277435ac376728d129ac6eda839a6f357b5a04387c5ce97382a78f2"
    "a4372917eefcbf93f63bb59112f5dbe400bd49e4501e859f885bf0736e90a509b30a26bfac8c17b5991c157e"
    "b5971115aa39efd8d564a6b90282c3168af2d30ef89d51bf14654510a12b8a144cca1848cf7da59cc2b3d9d0"
    "692dd2a20ba3863480e25b1b85ee860c62bf51360000000500000004d2f14ff6346af964569f7d6cb880a1b6"
    "6c5004917da6eafe4d9ef6c6407b3db0e5485b122d9ebe15cda93cfec582d7ab0000000a000000040703c491"
    "e7558b35011ece3592eaa5da4d918786771233e8353bc4f62323185c95cae05b899e35dffd71705470620998"
    "8ebfdf6e37960bb5c38d7657e8bffeef9bc042da4b4525650485c66d0ce19b317587c6ba4bffcc428e25d089"
    "31e72dfb6a120c5612344258b85efdb7db1db9e1865a73caf96557eb39ed3e3f426933ac9eeddb03a1d2374a"
    "f7bf77185577456237f9de2d60113c23f846df26fa942008a698994c0827d90e86d43e0df7f4bfcdb09b86a3"
    "73b98288b7094ad81a0185ac100e4f2c5fc38c003c1ab6fea479eb2f5ebe48f584d7159b8ada03586e65ad9c"
    "969f6aecbfe44cf356888a7b15a3ff074f771760b26f9c04884ee1faa329fbf4e61af23aee7fa5d4d9a5dfcf"
    "43c4c26ce8aea2ce8a2990d7ba7b57108b47dabfbeadb2b25b3cacc1ac0cef346cbb90fb044beee4fac2603a"
    "442bdf7e507243b7319c9944b1586e899d431c7f91bcccc8690dbf59b28386b2315f3d36ef2eaa3cf30b2b51"
    "f48b71b003dfb08249484201043f65f5a3ef6bbd61ddfee81aca9ce60081262a00000480dcbc9a3da6fbef5c"
    "1c0a55e48a0e729f9184fcb1407c31529db268f6fe50032a363c9801306837fafabdf957fd97eafc80dbd165"
    "e435d0e2dfd836a28b354023924b6fb7e48bc0b3ed95eea64c2d402f4d734c8dc26f3ac591825daef01eae3c"
    "38e3328d00a77dc657034f287ccb0f0e1c9a7cbdc828f627205e4737b84b58376551d44c12c3c215c812a097"
    "0789c83de51d6ad787271963327f0a5fbb6b5907dec02c9a90934af5a1c63b72c82653605d1dcce51596b3c2"
    "b45696689f2eb382007497557692caac4d57b5de9f5569bc2ad0137fd47fb47e664fcb6db4971f5b3e07aced"
    "a9ac130e9f38182de994cff192ec0e82fd6d4cb7f3fe00812589b7a7ce515440456433016b84a59bec6619a1"
    "c6c0b37dd1450ed4f2d8b584410ceda8025f5d2d8dd0d2176fc1cf2cc06fa8c82bed4d944e71339ece780fd0"
    "25bd41ec34ebff9d4270a3224e019fcb444474d482fd2dbe75efb20389cc10cd600abb54c47ede93e08c114e"
    "db04117d714dc1d525e11bed8756192f929d15462b939ff3f52f2252da2ed64d8fae88818b1efa2c7b08c879"
    "4fb1b214aa233db3162833141ea4383f1a6f120be1db82ce3630b3429114463157a64e91234d475e2f79cbf0"
    "5e4db6a9407d72c6bff7d1198b5c4d6aad2831db61274993715a0182c7dc8089e32c8531deed4f7431c07c02"
    "195eba2ef91efb5613c37af7ae0c066babc69369700e1dd26eddc0d216c781d56e4ce47e3303fa73007ff7b9"
    "49ef23be2aa4dbf25206fe45c20dd888395b2526391a724996a44156beac808212858792bf8e74cba49dee5e"
    "8812e019da87454bff9e847ed83db07af313743082f880a278f682c2bd0ad6887cb59f652e155987d61bbf6a"
    "88d36ee93b6072e6656d9ccbaae3d655852e38deb3a2dcf8058dc9fb6f2ab3d3b3539eb77b248a661091d05e"
    "b6e2f297774fe6053598457cc61908318de4b826f0fc86d4bb117d33e865aa805009cc2918d9c2f840c4da43"
    "a703ad9f5b5806163d7161696b5a0adc00000005d5c0d1bebb06048ed6fe2ef2c6cef305b3ed633941ebc8b3"
    "bec9738754cddd60e1920ada52f43d055b5031cee6192520d6a5115514851ce7fd448d4a39fae2ab2335b525"
    "f484e9b40d6a4a969394843bdcf6d14c48e8015e08ab92662c05c6e9f90b65a7a6201689999f32bfd368e5e3"
    "ec9cb70ac7b8399003f175c40885081a09ab3034911fe125631051df0408b3946b0bde790911e8978ba07dd5"
    "6c73e7ee"
)
LMS_SIGNATURE_LENGTH = 1292
LMS_KEY_LENGTH = 56


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


def hss() -> Iterator[Row]:
    public, signature = bytes.fromhex(HSS_PUBLIC), bytes.fromhex(HSS_SIGNATURE)
    between = 4 + LMS_SIGNATURE_LENGTH
    next_key = signature[between : between + LMS_KEY_LENGTH]
    cases = (
        ("HSS", "whole", public, HSS_MESSAGE, signature),
        ("LMS", "upper tree", public[4:], next_key, signature[4:between]),
        ("LMS", "lower tree", next_key, HSS_MESSAGE, signature[between + LMS_KEY_LENGTH :]),
    )
    for scheme, title, key, message, signed in cases:
        yield Row(title, f"VERIFY_{scheme}_256", "RFC 8554", "VERIFY_MESSAGE", f"PSA_ALG_{scheme}",
                  f"PSA_KEY_TYPE_{scheme}_PUBLIC_KEY", key, b"", message, signed)  # fmt: skip


def rows() -> Iterator[Row]:
    yield from ascon()
    yield from ed448ph()
    yield from hss()
