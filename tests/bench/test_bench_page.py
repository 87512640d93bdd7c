# SPDX-License-Identifier: Apache-2.0
"""The report is one file, well formed, and says what was measured and what was not."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from corral_bench import others, svg
from corral_bench.growth import slope
from corral_bench.page import page
from corral_bench.record import Call, Scenario, result


def cost() -> list[dict[str, Any]]:
    calls = {
        "hash": [Call("psa_hash_compute", layer=100, primitive=3000)],
        "hmac": [Call("psa_import_key", layer=200), Call("psa_mac_compute", 150, 9000)],
        "ecdsa": [
            Call("psa_generate_key", 1, 20),
            Call("psa_sign_hash", 2, 30),
            Call("psa_import_key", 3, 4),
            Call("psa_verify_hash", 4, 50),
        ],
    }
    rom = dict.fromkeys(("core", "dispatch", "glue", "element", "random", "backend"), 100)
    rom |= {"port": 1, "application": 1, "libc": 1, "other": 0}
    return [
        result(Scenario(f"{name}/bearssl", "", {}), "instructions", 0, rom, rom, made)
        for name, made in calls.items()
    ]


def report() -> str:
    measured = cost()
    line = [(1, 10), (64, 136)]
    groups = ("keys", "messages", "drivers", "devices")
    names = ("psa_import_key", "psa_mac_compute, first key", "psa_mac_compute, last key", "RAM")
    names += ("ROM", "sign_hash: layer", "sign_hash: driver")
    bytes_of = {"rom": measured[0]["rom"], "ram": measured[0]["ram"]}
    return page(
        {
            "cost": measured,
            "comparison": others.comparison(measured),
            "growth": {group: dict.fromkeys(names, line) for group in groups},
            "deduplication": {"a library each": bytes_of, "one API": bytes_of},
            "made_with": {"tools": {"gcc": "12 <x>"}, "flags": {}, "packages": {}},
        }
    )


def test_the_page_is_complete_in_itself() -> None:
    text = report()
    assert not re.search(r"\b(src|href|url)\s*[=(]", text)
    assert "http" not in text.replace("http-equiv", "")
    assert "<script" not in text


def test_the_page_is_well_formed_and_escapes_what_it_shows() -> None:
    text = report()
    assert "12 &lt;x&gt;" in text
    body = text[text.index("<body>") : text.index("</body>")] + "</body>"
    root = ElementTree.fromstring(body)
    assert len(root.findall(".//svg")) >= 9
    assert "not measured" in text


def test_bars_are_as_long_as_their_values() -> None:
    root = ElementTree.fromstring(
        svg.bars("t", [("a", {"x": 10, "y": 30}), ("b", {"x": 20})], ["x", "y"], "bytes")
    )
    widths = [float(r.get("width", 0)) for r in root.findall("rect") if r.find("title") is not None]
    assert len(widths) == 3
    assert abs(widths[1] - 3 * widths[0]) < 0.1 and abs(widths[2] - 2 * widths[0]) < 0.1


def test_lines_rise_where_their_values_do() -> None:
    root = ElementTree.fromstring(
        svg.lines("t", {"flat": [(1, 5), (64, 5)], "up": [(1, 0), (64, 9)]}, "keys", "bytes")
    )
    flat, up = (
        [float(point.split(",")[1]) for point in str(line.get("points")).split()]
        for line in root.findall("polyline")
    )
    assert flat[0] == flat[1]
    assert up[0] > up[1]  # y runs downwards
    assert slope([(1, 10), (64, 136)]) == 2.0
