# SPDX-License-Identifier: Apache-2.0
"""Kept figures as JSON with a line for each row, so that a change shows as the row it is of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import groupby
from typing import Any

#: A table with more entries has one line for all keys of the same head: "aes", "aes#2", "aes#3".
_SHORT = 12


def _head(key: str) -> str:
    return re.split(r"[#:]", key, maxsplit=1)[0]


def _is_row(value: Any) -> bool:
    """Whether nothing in it is a table or a list with contents of its own."""
    if isinstance(value, Mapping):
        return all(not isinstance(v, Mapping | list) for v in value.values())
    return isinstance(value, list) and all(not isinstance(v, Mapping | list) for v in value)


def _is_flat(table: Mapping[str, Any]) -> bool:
    """Whether each entry is a number, a word or a short list of them."""
    return all(not isinstance(v, Mapping | list) or _is_row(v) for v in table.values())


def _entry(key: str, value: Any) -> str:
    return f"{json.dumps(key)}: {json.dumps(value)}"


def text(value: Any, indent: str = "") -> str:
    """The same as json.dumps() gives, in other lines."""
    if not isinstance(value, Mapping | list) or not value:
        return json.dumps(value)
    if _is_row(value) and len(value) <= _SHORT:
        return json.dumps(value)
    inner = f"{indent} "
    if isinstance(value, list):
        lines = [text(each, inner) for each in value]
        return "[\n" + ",\n".join(inner + line for line in lines) + f"\n{indent}]"
    if _is_flat(value) and len(value) > _SHORT:
        rows = groupby(value.items(), key=lambda item: _head(item[0]))
        lines = [", ".join(_entry(*item) for item in row) for _, row in rows]
    else:
        lines = [f"{json.dumps(key)}: {text(each, inner)}" for key, each in value.items()]
    return "{\n" + ",\n".join(inner + line for line in lines) + f"\n{indent}}}"
