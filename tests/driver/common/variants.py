# SPDX-License-Identifier: Apache-2.0
"""Settings by which a driver works with other code of its library: the suite runs once more."""

from __future__ import annotations

from collections.abc import Mapping

#: By driver and by the name of the build: other results of a calculation, and other frames to wipe.
VARIANTS: dict[str, Mapping[str, Mapping[str, str]]] = {
    "bearssl": {"short-words": {"CORRAL_BEARSSL_SHORT_WORDS": "y"}},
}
