# SPDX-License-Identifier: Apache-2.0
"""The report is one file, well formed, and marks values that were not measured."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from corral_bench import charts, others, overview
from corral_bench.growth import slope
from corral_bench.page import page
from corral_bench.record import LEAST, Call, Scenario, result


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
    measured = [
        result(Scenario(f"{name}/bearssl", "", {}), "instructions", 0, rom, rom, made)
        for name, made in calls.items()
    ]
    sign = [c for c in calls["ecdsa"] if c.function != "psa_sign_hash"]
    sign.append(Call("psa_sign_hash", 50, 30, wiping=12))
    for name, less, lto, made in (
        ("ecdsa/bearssl", 99, False, calls["ecdsa"]),
        (f"ecdsa/{LEAST}", -1, False, []),
        (f"ecdsa/{LEAST}", 300, True, []),
        ("ecdsa/p256m", -7, False, sign),
    ):
        scenario = Scenario(name, "", {}, lto=lto)
        parts = rom | {"backend": 100 - less}
        measured.append(result(scenario, "instructions", 0, parts, parts, made))
    return measured


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


def test_the_page_opens_with_pictures_and_a_sentence() -> None:
    text = report()
    opening = text[text.index("<h1>") : text.index("<h2>")]
    assert opening.index("<svg") < opening.index(" to ") < opening.index("<table>")
    body = opening[opening.index("<figure") :]
    assert "HMAC: RIOT" in body and "ECDSA with LTO" in body


def test_whole_images_are_named_with_the_least_of_all() -> None:
    made = overview.overview({"cost": cost(), "comparison": others.comparison(cost())})
    assert made is not None
    rows = {row[0]: row[1:] for row in made["images"]}
    least = "504"  # the saving of one driver by rank against the default
    assert rows["ECDSA"] == ["604", "8,100", least, "bearssl", "303", "6,400", "10,368"]
    assert rows["HMAC"][:4] == ["-", "3,000", "603", "bearssl"]
    wiping = {row[0]: row[1:3] for row in made["wiping"]}
    assert wiping["sign_hash P-256, p256m"] == ["50", "38"]
    assert any(line.startswith("ecdsa/least flash") for line in made["changes"])


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


def test_the_same_figures_give_the_same_page() -> None:
    assert report() == report()


def test_parts_that_were_not_measured_have_no_section() -> None:
    text = page({"made_with": {"tools": {}, "flags": {}, "packages": {}}})
    assert re.findall(r"<h2>(.*)</h2>", text) == ["Made with"]


def shapes(chart: charts.Chart, tag: str) -> list[ElementTree.Element]:
    """The shapes of each series, in their order."""
    root = ElementTree.fromstring(chart.svg)
    assert not [node for node in root.iter() if node.tag in ("script", "style", "defs", "desc")]
    return [
        shape
        for node in root.iter("g")
        if node.get("class", "").startswith("series serie-")
        for shape in node.iter(tag)
    ]


def test_bars_are_as_long_as_their_values() -> None:
    rows = [("a", {"x": 10, "y": 30}), ("b", {"x": 20})]
    chart = charts.bars("t", rows, ["x", "y"], "bytes")
    lengths = [float(shape.get("width", 0)) for shape in shapes(chart, "rect")]
    second, first, absent, other = lengths
    assert absent == 0
    assert abs(other - 3 * first) < 0.1 and abs(second - 2 * first) < 0.1
    captions = [shape.text for shape in shapes(chart, "title")]
    assert captions == ["x: 20 bytes", "x: 10 bytes", "y: 0 bytes", "y: 30 bytes"]
    words = [word.text for word in ElementTree.fromstring(chart.svg).iter("text")]
    assert {"a  40", "b  20", "bytes"} <= set(words)


def ends(line: ElementTree.Element) -> tuple[float, float]:
    """How far down a line begins, and how far down it ends."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", str(line.get("d")))]
    return numbers[1], numbers[-1]


@pytest.mark.parametrize("log_y", [False, True])
def test_lines_rise_where_their_values_do(log_y: bool) -> None:
    series = {"flat": [(1, 5), (64, 5)], "up": [(1, 1), (64, 900)]}
    chart = charts.lines("t", series, "keys", "bytes", log_y)
    flat, up = (ends(shape) for shape in shapes(chart, "path"))
    assert flat[0] == flat[1]
    assert up[0] > up[1]  # y runs downwards
    # Of 1 to 900 by the logarithm a quarter is below 5; without it, hardly anything.
    height = (up[0] - flat[0]) / (up[0] - up[1])
    assert height == pytest.approx(0.2366 if log_y else 0.0045, abs=0.001)


def test_a_slope_is_by_one_more() -> None:
    assert slope([(1, 10), (64, 136)]) == 2.0
