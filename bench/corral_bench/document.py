# SPDX-License-Identifier: Apache-2.0
"""Tables and charts of documents, from the figures in bench/baseline.json and drivers/*/costs.json.

Each is between two comments, of which the first names it; the text around is by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from corral.errors import fail

from corral_bench import (
    baseline,
    boot,
    charts,
    depth,
    handshakes,
    objects,
    presets,
    signers,
    speed,
    stored,
    stores,
    tables,
    throughput,
)
from corral_bench.others import AVR, M4, RIOT, RIOT_IMAGES, ROWS, TFPSA, Row
from corral_bench.record import LEAST
from corral_bench.scenarios import APPLICATIONS, SMALLEST, SMALLEST_LTO

Kept = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]

_BEGIN, _END = "<!-- figures: {} -->\n", "<!-- end of figures -->"
_TABLE = re.compile(r"<!-- figures: (\w+) -->\n.*?<!-- end of figures -->", re.DOTALL)

#: The parts of a cost that misses its goal, by kind and function or label.
_WHERE = {
    ("ROM", "HMAC"): "creating keys and slots, MAC in one call, the lengths that a policy allows, "
    "glue, in this order; with Mbed TLS its statuses, too",
    ("ROM", "CBC"): "creating keys and slots, encryption in one call, glue, finding a key, wiping, "
    "in this order",
    ("ROM", "ECDSA"): "creating keys, sign and verify, slots, refusals by the letter of the "
    "specification, export, in this order; a fifth or a quarter is glue, most of it checks of keys",
    ("ROM", "all three"): "creating keys, MAC, sign and verify, slots, cipher, policy, in this "
    "order; a quarter is glue",
    (
        "ROM",
        "all three with two elements",
    ): "the parts of all three, and creation in an element, the "
    "second branch of each entry point, the table of devices",
    ("RAM", "all three with two elements"): "the application holds three sets of keys at once; the "
    "others' figures are of one set",
    ("stack", "psa_mac_compute"): "424 bytes are the glue's frame: the library's contexts of HMAC "
    "and of its key, which have room for SHA-512",
    ("stack", "psa_cipher_encrypt"): "296 bytes are the glue's frame, most of it the library's key "
    "schedule",
    ("instructions", "psa_hash_compute"): "more than half is wiping the library's remains",
    ("instructions", "psa_mac_compute"): "two thirds are wiping the library's contexts and its "
    "remains on the stack",
    ("instructions", "psa_import_key"): "a slot is chosen, the key copied by the word, and made "
    "known only when it is whole",
    ("instructions", "psa_generate_key"): "a third is the call itself, with the checks of its "
    "attributes; choosing a slot, and the driver's draw of a private key",
    ("instructions", "psa_sign_hash"): "a third is the call itself; the driver brings hash and "
    "nonce into the library's form",
    (
        "instructions",
        "psa_cipher_encrypt",
    ): "half is wiping the key schedule and the library's remains "
    "on the stack; BearSSL works in place, so the message is brought into the output first",
    ("instructions", "psa_aead_encrypt"): "lengths of nonce, tag and data are checked, and overlap "
    "of the buffers; a library that takes a message in parts only gets five calls",
}


def _name(row: Row) -> str:
    what = f"{row.function}, stack" if row.kind == "stack" else row.function or row.kind
    return f"{row.scenario} on {row.board}: {what}"


def reason(row: Row) -> str:
    """The parts of a row's cost; empty if unknown."""
    return _WHERE.get((row.kind, row.function or row.label.partition(", ")[0]), "")


def missed(figures: Mapping[str, int]) -> list[tuple[Row, int]]:
    """The rows whose figure is above their goal; wiping is part of both."""
    found = []
    for row in ROWS:
        value = figures.get(_name(row), 0)
        if row.goal is not None and value > row.goal:
            found.append((row, value))
    return found


def shares(figures: Mapping[str, int]) -> list[float]:
    """The layer's flash as a share of each other layer's, in builds that others were measured in.

    A publication's figure is of another program.
    """
    return [
        figures[_name(row)] / other.value
        for row in ROWS
        for other in row.others
        if row.kind == "ROM" and _name(row) in figures and "measured" in other.source
    ]


def _goals(kept: Mapping[str, Any]) -> list[list[str]]:
    rows = [["Row", "Figure", "Goal", "Where it goes"]]
    for row, value in missed(kept["figures"]):
        board = ", ATmega2560" if row.board == AVR else ""
        wiping = kept["figures"].get(f"{_name(row)}, wiping", 0)
        figure = f"{value:,}, of it wiping {wiping:,}" if wiping else f"{value:,}"
        rows.append([f"{row.kind}, {row.label}{board}", figure, f"{row.goal:,}", reason(row)])
    return rows


def _image(kept: Mapping[str, Any], name: str, goal: int | None) -> list[str]:
    """The parts of an image, and the rest of its goal for the layer."""
    parts = [f"image, {part}" for part in baseline.OF_IMAGE[::-1]]
    image, layer, *of = (kept["figures"][f"{name}: {what}"] for what in ("image", "ROM", *parts))
    left = "-" if goal is None else f"{goal - image + layer:,}"
    rest = image - layer - sum(of)
    return [
        f"{image:,}",
        "-" if goal is None else f"{goal:,}",
        *(f"{figure:,}" for figure in (*of, rest, layer)),
        left,
    ]


_OF_IMAGE = ["Goal", "Generator", "Libraries", "The rest", "Layer", "Layer at the goal"]


def _smallest(kept: Mapping[str, Any]) -> list[list[str]]:
    """Whole images with the drivers that add the least flash together."""
    rows = [["Application", "Image", *_OF_IMAGE, "RAM"]]
    for application, goal in SMALLEST.items():
        name = f"{application}/{LEAST} on mps2-an386"
        ram = f"{kept['figures'][f'{name}: RAM']:,}"
        rows.append([APPLICATIONS[application], *_image(kept, name, goal), ram])
    return rows


def _smallest_with_lto(kept: Mapping[str, Any]) -> list[list[str]]:
    """The same images as the linker makes them when it sees all at once."""
    rows = [["Application", "Image with LTO", *_OF_IMAGE, "without LTO"]]
    for application in SMALLEST:
        name = f"{application}/{LEAST} on mps2-an386"
        parts = _image(kept, f"{name}{baseline.WITH_LTO}", SMALLEST_LTO.get(application))
        rows.append([APPLICATIONS[application], *parts, f"{kept['figures'][f'{name}: image']:,}"])
    return rows


def _bytes(kept: Mapping[str, Any]) -> list[list[str]]:
    """The layer's flash beside each of the others'."""
    rows = [["Flash of the layer", "Corral", *tables.SHORT_SOURCES]]
    for row in ROWS:
        value = kept["figures"].get(_name(row))
        if row.kind != "ROM" or value is None or not row.others:
            continue
        theirs = dict.fromkeys(tables.SHORT_SOURCES, "-")
        for other in row.others:
            name = tables.short_source(other.source)
            theirs[name] = f"{other.value:,} ({value / other.value:.0%})"
        board = ", ATmega2560" if row.board == AVR else ""
        rows.append([f"{row.label}{board}", f"{value:,}", *theirs.values()])
    return rows


#: Rows of the README: the comparison, and the label of the row.
_SUMMARY = {
    "HMAC-SHA-256, flash": "HMAC, bearssl",
    "AES-128-CBC, flash": "CBC, bearssl",
    "ECDSA P-256, flash": "ECDSA, p256m",
    "SHA-256 of 32 bytes, instructions": "hash_compute SHA-256, 32 B, mbedtls",
    "HMAC of 32 bytes, instructions": "mac_compute HMAC-SHA-256, 32 B, bearssl",
    "ECDSA signature, instructions": "sign_hash P-256, p256m",
}


def _summary(kept: Mapping[str, Any]) -> list[list[str]]:
    """The rows of the README: one for each family, on a Cortex-M4."""
    found = {row.label: row for row in ROWS if row.kind in ("ROM", "instructions")}
    sources = [tables.short_source(source) for source in (RIOT, TFPSA)]
    rows = [["", "Corral", *sources]]
    for title, label in _SUMMARY.items():
        row = found[label]
        value = kept["figures"][_name(row)]
        wiping = kept["figures"].get(f"{_name(row)}, wiping", 0)
        theirs = {tables.short_source(other.source): f"{other.value:,}" for other in row.others}
        figure = f"{value:,}, of it wiping {wiping:,}" if wiping else f"{value:,}"
        rows.append([title, figure, *(theirs[source] for source in sources)])
    return rows


def _storage(kept: Mapping[str, Any]) -> list[list[str]]:
    return stores.rows(kept["storage"])


def _handshakes(kept: Mapping[str, Any]) -> list[list[str]]:
    return handshakes.rows(kept["tls"])


def _presets(kept: Mapping[str, Any]) -> list[list[str]]:
    return presets.rows(kept["presets"])


def _throughput(kept: Mapping[str, Any]) -> list[list[str]]:
    return throughput.rows(kept["throughput"])


def _stored_keys(kept: Mapping[str, Any]) -> list[list[str]]:
    return throughput.stored_keys(kept["throughput"])


def _study(kept: Mapping[str, Any]) -> list[list[str]]:
    return handshakes.study(kept["tls"])


def _of_signatures(made: Callable[[Rows], list[list[str]]]) -> Callable[[Kept], list[list[str]]]:
    return lambda kept: made(kept["signatures"])


_TABLES: dict[str, Callable[[Kept], list[list[str]]]] = {
    "smallest": _smallest,
    "lto": _smallest_with_lto,
    "bytes": _bytes,
    "summary": _summary,
    "goals": _goals,
    "storage": _storage,
    "handshakes": _handshakes,
    "study": _study,
    "presets": _presets,
    "boot": lambda kept: boot.rows(kept["boot"]),
    "throughput": _throughput,
    "stored_keys": _stored_keys,
    "stored": lambda kept: stored.rows(kept["stored"]),
    "depth": lambda kept: depth.rows(kept["figures"]),
    "speed": lambda kept: speed.rows(kept["counts"]),
    "speed_on_a_pc": lambda kept: speed.rows(kept["counts_on_a_pc"]),
    "sessions": lambda kept: objects.rows(kept["sessions"]),
    "signatures_avr": _of_signatures(signers.on_avr),
    "signatures_m4": _of_signatures(signers.on_cortex_m4),
    "signatures_element": _of_signatures(signers.of_element),
    "signatures_published": _of_signatures(signers.published_alone),
}


def _layers_chart(kept: Kept) -> str:
    """The rows of the README that are bytes."""
    points = [
        (f"{row[0].removesuffix(', flash')}, {name}", float(cell.replace(",", "")))
        for head, *rows in [_summary(kept)]
        for row in rows
        if row[0].endswith(", flash")
        for name, cell in zip(head[1:], row[1:], strict=True)
    ]
    return charts.bars("Flash of the layer on a Cortex-M4", "bytes", points)


def _images_chart(kept: Kept) -> str:
    points: list[tuple[str, float]] = []
    for application in SMALLEST:
        name, title = f"{application}/{LEAST} on {M4}", APPLICATIONS[application]
        points.append((title, kept["figures"][f"{name}: image"]))
        points.append((f"{title}, LTO", kept["figures"][f"{name}{baseline.WITH_LTO}: image"]))
        if application in RIOT_IMAGES:
            points.append((f"{title}, RIOT", RIOT_IMAGES[application]))
    return charts.bars("Whole images on a Cortex-M4; of RIOT layer and library", "bytes", points)


def _boot_chart(kept: Kept) -> str:
    points = [(row["name"], float(row["flash"])) for row in kept["boot"]]
    return charts.bars("Flash of a whole image that verifies a signature", "bytes", points)


def _study_chart(kept: Kept) -> str:
    rows = [row for row in handshakes.study(kept["tls"])[1:] if "RSA" not in row[0]]
    points = [(row[0], float(row[1].replace(",", ""))) for row in rows]
    return charts.bars("One ECDSA signature on P-256", "ms", points)


_CHARTS: dict[str, Callable[[Kept], str]] = {
    "layers_chart": _layers_chart,
    "images_chart": _images_chart,
    "boot_chart": _boot_chart,
    "study_chart": _study_chart,
    "stored_in_files": lambda kept: stored.chart(kept["stored"], "files"),
    "stored_in_flash": lambda kept: stored.chart(kept["stored"], "flash"),
}


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def text(root: Path, name: str, document: str) -> str:
    """The text `document` of the file `name`, with tables and charts as kept figures make them."""
    kept = {
        **baseline.load(root / "bench" / "baseline.json"),
        "counts": speed.counts(root),
        "counts_on_a_pc": speed.counts(root, speed.COMPUTER),
    }

    def table(found: re.Match[str]) -> str:
        if found[1] in _CHARTS:
            made = _CHARTS[found[1]](kept)
        elif found[1] in _TABLES:
            made = _markdown(_TABLES[found[1]](kept))
        else:
            raise fail(
                name, f'there is no table "{found[1]}"', f"use {', '.join((*_TABLES, *_CHARTS))}"
            )
        return f"{_BEGIN.format(found[1])}\n{made}\n\n{_END}"

    return _TABLE.sub(table, document)
