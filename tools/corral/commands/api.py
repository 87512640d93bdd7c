# SPDX-License-Identifier: Apache-2.0
"""The command api."""

from __future__ import annotations

import argparse

from corral import ROOT
from corral.common.table import wrapped
from corral.model import absent

ABOUT = "list the functions of PSA Crypto 1.5 that are there, and that are not"
EXAMPLE = "api"
ORDER = 200


def add(_parser: argparse.ArgumentParser) -> None:
    pass


def run(_arguments: argparse.Namespace) -> int:
    present, missing = absent.functions(ROOT)
    print(f"in this version, {len(present)} functions:")
    print(wrapped(" ".join(present), 2))
    print(f"not yet, {len(missing)} functions:")
    print(wrapped(" ".join(missing), 2))
    return 0
