# SPDX-License-Identifier: Apache-2.0
"""The command api."""

from __future__ import annotations

import argparse
import json

from corral import ROOT
from corral.arguments import add_json
from corral.common.style import heading
from corral.common.table import wrapped
from corral.model import absent

ABOUT = "list the functions of PSA Crypto 1.5 that are there, and that are not"
EXAMPLE = "api"
ORDER = 200


def add(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    present, missing = absent.functions(ROOT)
    if arguments.json:
        print(json.dumps({"present": present, "missing": missing}, indent=2))
        return 0
    print(heading(f"in this version, {len(present)} functions:"))
    print(wrapped(" ".join(present), 2))
    print(heading(f"not yet, {len(missing)} functions:"))
    print(wrapped(" ".join(missing), 2))
    return 0
