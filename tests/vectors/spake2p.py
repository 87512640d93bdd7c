# SPDX-License-Identifier: Apache-2.0
"""Published exchanges by SPAKE2+, and keys derived by this model of the registration."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

_RFC = "RFC 9383, C"
_DRAFT_8 = "draft-bar-cfrg-spake2plus-08, B"
_DRAFT_2 = "draft-bar-cfrg-spake2plus-02, B"
_HMAC = "PSA_ALG_SPAKE2P_HMAC(PSA_ALG_{})"
_CMAC = "PSA_ALG_SPAKE2P_CMAC(PSA_ALG_{})"

_ORDERS = {
    256: 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    384: int(
        "ffffffffffffffffffffffffffffffffffffffffffffffff"
        "c7634d81f4372ddf581a0db248b0a77aecec196accc52973",
        16,
    ),
    521: int(
        "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
        "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
        16,
    ),
}


@dataclass(frozen=True)
class Exchange:
    """One published exchange; values that are not published are empty."""

    source: str
    alg: str
    bits: int
    context: str
    w0: str
    w1: str
    x: str
    y: str
    share_p: str
    share_v: str
    confirm_p: str
    confirm_v: str
    shared: str


_EXCHANGES = (
    Exchange(
        _RFC,
        _HMAC.format("SHA_256"),
        256,
        "SPAKE2+-P256-SHA256-HKDF-SHA256-HMAC-SHA256 Test Vectors",
        "bb8e1bbcf3c48f62c08db243652ae55d3e5586053fca77102994f23ad95491b3",
        "7e945f34d78785b8a3ef44d0df5a1a97d6b3b460409a345ca7830387a74b1dba",
        "d1232c8e8693d02368976c174e2088851b8365d0d79a9eee709c6a05a2fad539",
        "717a72348a182085109c8d3917d6c43d59b224dc6a7fc4f0483232fa6516d8b3",
        "04ef3bd051bf78a2234ec0df197f7828060fe9856503579bb1733009042c15c0c1"
        "de127727f418b5966afadfdd95a6e4591d171056b333dab97a79c7193e341727",
        "04c0f65da0d11927bdf5d560c69e1d7d939a05b0e88291887d679fcadea75810fb"
        "5cc1ca7494db39e82ff2f50665255d76173e09986ab46742c798a9a68437b048",
        "926cc713504b9b4d76c9162ded04b5493e89109f6d89462cd33adc46fda27527",
        "9747bcc4f8fe9f63defee53ac9b07876d907d55047e6ff2def2e7529089d3e68",
        "0c5f8ccd1413423a54f6c1fb26ff01534a87f893779c6e68666d772bfd91f3e7",
    ),
    Exchange(
        _RFC,
        _HMAC.format("SHA_256"),
        384,
        "SPAKE2+-P384-SHA256-HKDF-SHA256-HMAC-SHA256 Test Vectors",
        "097a61cbb1cee72bb654be96d80f46e0e3531151003903b5"
        "72fc193f233772c23c22228884a0d5447d0ab49a656ce1d2",
        "18772816140e6c3c3938a693c600b2191118a34c7956e1f1"
        "cd5b0d519b56ea5858060966cfaf27679c9182129949e74f",
        "2f1bdbeda162ff2beba0293d3cd3ae95f663c53663378c7e"
        "18ee8f56a4a48b00d31ce0ef43606548da485058f12e8e73",
        "bbcaf02404a16ed4fa73b183f703a8d969386f3d34f5e98b"
        "3a904e760512f11757f07dfcf87a2ada8fc6d028445bd53e",
        "049fb0404ca7ce71fb85d3aaa8fd05fa054affac996135bc245149be09571e43e2"
        "bf76e00d6d52ac452b8224f6b9da31420a4f5e214b377546daad4d61da5ca0cf"
        "dea59a5a92ebdb6b42da5d14663b8d1f9eb97050139ab89788e0ada27b048fcf",
        "0493b1c1f6a30eac4ac4a15711e44640bae3576787627ee25411042981e94b2e96"
        "04b9374f66bb247bc431759212ef3fa0a20c087863b89efb32219e1337ce94be"
        "2175f8cb9fd50cf0b84772717fd063c52b69de1229a01ab840b55993287f32ed",
        "7ae825e242a5a1f86ad7db172c2c12fcb458b6a2b1ddfc96b2b7cfd2eed5f7ab",
        "1581062167d6a3d14493447cd170d408f6fdc58e31225438db86214167426a7a",
        "99758e838ae1a856589689fb55b6befe4e2382e6ebbeca1a6232a68f9dc04c1a",
    ),
    Exchange(
        _RFC,
        _HMAC.format("SHA_512"),
        384,
        "SPAKE2+-P384-SHA512-HKDF-SHA512-HMAC-SHA512 Test Vectors",
        "b8d44a0982b88abe19b724d4bdafba8c90dc93130e0bf4f8"
        "062810992326da126fd01db53e40250ca33a3ff302044cb0",
        "2373e2071c3bb2a6d53ece57830d56f8080189816803c223"
        "75d6a4a514f9d161b64d0f05b97735b98b348f9b33cc2e30",
        "5a835d52714f30d2ef539268b89df9558628400063dfa0e4"
        "1eb979066f4caf409bbf7aab3ddddea13f1b070a1827d3d4",
        "c883ee5b08cf7ba122038c279459ab1a730f85f2d624a027"
        "32d519faab56a498e773a8dec6c447ed02d5c00303a18bc4",
        "042f382eef464a2c9aecfdf4b81d25c4de2de113ba67405ce336c762c69217ae7e"
        "27bda875144140d7536c4cc08b9b4dace5f872a6a2ed57f34042688ad3c5d446"
        "c187dc0caf9cea812df3a4dd6fdbc64b9d7d7d7ff4bf6965abb06eeb108d55ee",
        "04d72e11eee332305062454c0a058b8103a3304785d445510cd8d101e9cb44cfb1"
        "59cb7b72123abaf719ab1c42e0558c84c14b0886e8b446e4c880bff2f4b291fa"
        "fafc748cb4115824e66732bdeba7fae176388e228ab9d7546255994ca3fb5a52",
        "7f806ae56ea3e49a8b16ffee528086489418913641f529d50ff92aa456ad4648"
        "e522f9540b403bff6bd94ee1adc95c7d1b2666f7ba6f9c10748bc7bfb4181d27",
        "8daa262decb79cceda4421f4f8dacf22ec027c08e036f071beea563c8e00813a"
        "29807963ff9d7d6bbff48dd5bdcdd9ca9fd7ffc272b162258d981913f7253dcb",
        "31e0075a823b9269af5769d71ef3b2f5001cbfe044584fe8551124a217dad078"
        "415630bf3eda16b5a38341d418a6d72b3960f818a0926f0de88784b59d6a694b",
    ),
    Exchange(
        _RFC,
        _HMAC.format("SHA_512"),
        521,
        "SPAKE2+-P521-SHA512-HKDF-SHA512-HMAC-SHA512 Test Vectors",
        "009c79bcd7656716314fca5a6e2c5cda7ef86131399438e012a043051e863f60b5ae"
        "b3c101731e1505e721580f48535a9b0456b231b9266ae6fff49ee90d25f72f5f",
        "01632c15f51fcd916cd79e19075f8a69b72b0099922ad62ff8d540b469569f0aa027"
        "047aed2b3f242ea0ac4288b4e4db6a4e5946d8ad32b42192c5aa66d9ef8e1b33",
        "00b69e3bb15df82c9fa0057461334e2c66ab92fc9b8d3662eec81216ef5ddc4a43f1"
        "9e90dedaa2d72502f69673a115984ffcf88e03a9364b07102114c5602cd93c69",
        "",
        "0400a14431edf6852ff5fe868f8683e16e9e0a45d9e27f9a96442285ac6b161fc0bf"
        "267362a5ffb06f9cbd14b7a37e492146d77cae4c77812df00a91dbae09e27e1fac00"
        "ae019317ef9768548325bca35ce258e6206fe03c6338b2eb889d09d9f11400a36cf6"
        "328a7e1f81c6c7a2af7ff1d9b5210768318f27e57b75b39b9fbfc7b37a60ab",
        "0401aa5af0f3027f63b7170572db5ff06dd1f3d6ea8ea771b26b434fbbc6c9de7d80"
        "975131c9c2e94d30c0ed2d62449c4c1b7e95037a85ed7598e415a259126365e89500"
        "d0f2156b551b70416d719944736990f346f6f9ba4fbaf2f63e09873690bcf730582e"
        "0a7b03ffede50f5787b631d5021a94287f0a29a081b62b9f5a3bf393b001b3",
        "f0f5c903dfa42fe367659656a26058cd984b76a8e91ae4d0fa4c13db149008e2"
        "ae57713fb230a627761174fefd263b9c10e9a4b6a3746cde59c5943040c17133",
        "a8f7ab43f3a800171d3a3fb26d742e1ed236c2d5804ecd328f220a7d245cd2e3"
        "bfb6c0526983bff9229c94f70fe64ba9bb5a4d0dc10afcda64a4c96d4c3d81ad",
        "d1c170e4e55efacb9db8abad286293ebd1dcf24f13973427b9632bbc323e42e4"
        "47afca2aa7f74f2af3fb5f51684ec543db854b7002cde6799c330b032ba8820a",
    ),
    Exchange(
        _DRAFT_8,
        _CMAC.format("SHA_256"),
        256,
        "SPAKE2+-P256-SHA256-CMAC-AES-128 Test Vectors",
        "fde060103a72526b8be9af9be851582aa44615c406254c777e69c2c6fb6a4ec6",
        "cec29581ecf80a237df1ff00d7150e41919a4235cdb9b10d3e1aaae9b3db79ab",
        "87075f67b1bf933df0345ede4567d74269a6c406b3b0107c1fdcb0ceca995b30",
        "adab37f45722d37b043a29120f6ccf3296caf011ac701834314566d38b864f7f",
        "043c230b8ec315a076221bb91f16e663e45b6fee6c4b65bf95ee936cb47d042f5e"
        "2cb954fb7acf72542fc95f31662e56dbb2224d14032761a7ed8c5cb337050dd2",
        "04d90ae972e7805e61823329fe88e675eddcd95482d155aa564c7bf9057dab9ad8"
        "7f30ab7fe00b6779a3a7c85ec11d983e78fd0dc598df5198728eef472603a868",
        "870e8b23b33d81d7ba2e60eef2efa71a",
        "3a6e352db6ed168eefca1a25a635ce3e",
        "069a1337f935c08a322ebc514328939ffbe9c72e3a2e25491636afec3f83b1db",
    ),
    Exchange(
        _DRAFT_8,
        _CMAC.format("SHA_512"),
        256,
        "SPAKE2+-P256-SHA512-CMAC-AES-128 Test Vectors",
        "98369d63627c363eaa3fb17a95a43555d1ee00f24d4f3c06e18184e5894eb002",
        "829644923b86253ba37919a8a40ba8dc67161d176c99ac65a598e8acdc0b845f",
        "d888f116b056241dd956b99e5e4328380cd083eb48ac57ec8f47ff6c22b95566",
        "cfca1044d92914e50190e9447f343f5bd3ac80ea4a71fa76bd93b02c1eb1aeec",
        "04d8de5bcc061291b2692a490c75f3c3520f4fd05bdb941db7b396f2dcdd183f51"
        "483a4e2df92322450a193fac4520ba9fc862bdea8072bb2e7ff054297cf25451",
        "04d1da76bb56787ff34ce8458d7ebc506997519e10cc072ce5b6e5260516608244"
        "ff3e309b868c270eb445af69a8b41629233d0abce1ce07ea8292e158291f286d",
        "85d57fe6fbca9a8556d5eff677a88ea9",
        "c8c42b76190f907e042a343fcf938c96",
        "a3eb2e832f7d0fe24a130afb8c6da1fa86249a6da095c1ba2393e4e57c7b8ccb"
        "d0e4a2641a18ed3d92a602ffa057bb60cd4fc9fa90dd100de0318e7a392d723a",
    ),
    Exchange(
        _DRAFT_2,
        "PSA_ALG_SPAKE2P_MATTER",
        256,
        "SPAKE2+-P256-SHA256-HKDF draft-01",
        "e6887cf9bdfb7579c69bf47928a84514b5e355ac034863f7ffaf4390e67d798c",
        "24b5ae4abda868ec9336ffc3b78ee31c5755bef1759227ef5372ca139b94e512",
        "8b0f3f383905cf3a3bb955ef8fb62e24849dd349a05ca79aafb18041d30cbdb6",
        "2e0895b0e763d6d5a9564433e64ac3cac74ff897f6c3445247ba1bab40082a91",
        "04af09987a593d3bac8694b123839422c3cc87e37d6b41c1d630f000dd64980e53"
        "7ae704bcede04ea3bec9b7475b32fa2ca3b684be14d11645e38ea6609eb39e7e",
        "",
        "",
        "",
        "801db297654816eb4f02868129b9dc89",
    ),
)


@dataclass(frozen=True)
class Registration:
    """A password, and the parameters of its PBKDF2 with HMAC of SHA-256."""

    bits: int
    password: str
    salt: str
    cost: int

    @property
    def scalars(self) -> bytes:
        """w0 || w1: 8 bytes more than a scalar has for each, reduced modulo the order."""
        size = (self.bits + 7) // 8
        stretched = hashlib.pbkdf2_hmac(
            "sha256", self.password.encode(), self.salt.encode(), self.cost, 2 * (size + 8)
        )
        halves = stretched[: size + 8], stretched[size + 8 :]
        order = _ORDERS[self.bits]
        return b"".join(
            (int.from_bytes(half, "big") % order).to_bytes(size, "big") for half in halves
        )


_REGISTRATIONS = (
    Registration(256, "p", "clientserver", 10),
    Registration(384, "correct horse", "clientserver", 3),
    Registration(521, "battery staple", "some salt", 2),
)


def _bytes(data: bytes) -> str:
    if not data:
        return "{0, NULL}"
    text = ", ".join(f"0x{byte:02x}" for byte in data)
    return f"{{{len(data)}, (const uint8_t[]){{{text}}}}}"


def _draw(scalar: str, bits: int) -> bytes:
    """The random number that becomes the scalar: the library takes the highest bits of it."""
    data = bytes.fromhex(scalar)
    shift = 8 * len(data) - bits if data else 0
    return (int.from_bytes(data, "big") << shift).to_bytes(len(data), "big")


def source() -> str:
    """C definitions for tests/api/pake/spake2p_rows.h, in a file of build/tests."""
    rows = []
    for row in _EXCHANGES:
        values = [row.context.encode(), bytes.fromhex(row.w0 + row.w1)]
        values += [_draw(row.x, row.bits), _draw(row.y, row.bits)]
        values += [bytes.fromhex(v) for v in (row.share_p, row.share_v)]
        values += [bytes.fromhex(v) for v in (row.confirm_p, row.confirm_v, row.shared)]
        text = ", ".join(_bytes(value) for value in values)
        rows.append(f'{{"{row.source}", {row.alg}, {row.bits}, {text}}}')
    keys = [
        f"{{{row.bits}, {_bytes(row.password.encode())}, {_bytes(row.salt.encode())}, "
        f"{row.cost}, {_bytes(row.scalars)}}}"
        for row in _REGISTRATIONS
    ]
    exchanges = f"const struct spake2p_exchange spake2p_exchanges[] = {{{', '.join(rows)}}};"
    registered = (
        f"const struct spake2p_registration spake2p_registrations[] = {{{', '.join(keys)}}};"
    )
    include = '#include "../../tests/api/pake/spake2p_rows.h"'
    return f"{include}\n\n{exchanges}\n{registered}\n"
