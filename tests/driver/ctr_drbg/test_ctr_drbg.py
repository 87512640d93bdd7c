# SPDX-License-Identifier: Apache-2.0
"""The generator over AES, beside that of OpenSSL, over each AES that there is."""

from __future__ import annotations

import pytest
from harness.program import NATIVE, WITHOUT_ELEMENTS, Program


@pytest.mark.parametrize("below", ["BEARSSL", "MBEDTLS"])
def test_generator_is_that_of_openssl(below: str) -> None:
    settings = {**WITHOUT_ELEMENTS, f"CORRAL_DEFAULT_BY_{below}": "y"}
    name = f"ctr-drbg-{below.lower()}"
    flags = ("-lcrypto", f"-Wl,--wrap={below.lower()}_driver_aes_ecb_update")
    Program("driver/ctr_drbg", NATIVE, name, settings, link_flags=flags).run().check(6)
