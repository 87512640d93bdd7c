# SPDX-License-Identifier: Apache-2.0
"""devices.h and devices.c: the elements of the board, as their drivers want them described."""

from __future__ import annotations

from typing import Any

from corral.generate.build import Build
from corral.generate.ctext import function, header, text_of
from corral.model.board import Element
from corral.model.driver import DeviceField, Driver


def _of_driver(build: Build, driver: Driver) -> list[Element]:
    return [element for element in build.devices if element.driver == driver.name]


def devices_header(build: Build) -> str:
    includes = ["<stddef.h>", "", "<corral/config.h>", "<corral/locations.h>", "<psa/crypto.h>"]
    headers = [d.device.header for d in build.device_drivers if d.device]
    includes += ["", *(f"<{name}>" for name in headers)] if headers else []
    body: list[str] = []
    for driver in build.device_drivers:
        if driver.device is None:
            continue
        elements = _of_driver(build, driver)
        name = f"corral_{driver.name}_devices"
        body += [
            f"#define CORRAL_{driver.symbol}_DEVICE_COUNT {len(elements)}",
            *_held(driver, elements),
            "",
            f"extern const {driver.device.type} {name}[CORRAL_{driver.symbol}_DEVICE_COUNT];",
            "",
            *_index(driver, elements),
            *function(
                "size_t",
                f"corral_{driver.name}_keyless_device",
                [],
                [f"return CORRAL_{driver.symbol}_KEYLESS_DEVICE;"],
                "Position of the device that serves requests without a key.",
            ),
        ]
    comment = f"The table of devices, in the order of the board's description. {build.origin}"
    return header("devices.h", comment, includes, body)


def _held(driver: Driver, elements: list[Element]) -> list[str]:
    """Whether any device has a value that capabilities ask for: what none has costs nothing."""
    wanted = dict.fromkeys(item for c in driver.capabilities for item in c.devices.items())
    return [
        f"#define CORRAL_{driver.symbol}_ANY_{name.upper()}_{value.upper()} "
        f"{int(any(element.has({name: value}) for element in elements))}"
        for name, value in wanted
    ]


def _index(driver: Driver, elements: list[Element]) -> list[str]:
    location = "PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime)"
    locations = [element.location for element in elements]
    if len(elements) == 1:
        body = ["return 0;"]
    elif locations == list(range(locations[0], locations[0] + len(locations))):
        body = [f"return (size_t)({location} - {elements[0].macro});"]
    else:
        body = [f"switch ({location}) {{"]
        for i, element in enumerate(elements[:-1]):
            body += [f"case {element.macro}:", f"    return {i};"]
        body += ["default:", f"    return {len(elements) - 1};", "}"]
    return function(
        "size_t",
        f"corral_{driver.name}_device_index",
        ["const psa_key_attributes_t *attributes"],
        body,
        "Position of the device that keeps a key. Call only with keys of this driver's elements.",
    )


def _scalar(device_field: DeviceField, value: Any) -> str:
    kind = device_field.type.removesuffix(" list")
    if kind == "enum":
        return device_field.values[value]
    if kind == "boolean":
        return "true" if value else "false"
    if kind == "string":
        return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(int(value))


def _initialiser(device_field: DeviceField, value: Any) -> str:
    if device_field.type.endswith(" list"):
        items = [_scalar(device_field, item) for item in value] or ["0"]
        return "{" + ", ".join(items) + "}"
    return _scalar(device_field, value)


def devices_source(build: Build) -> str:
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        f"/* {build.origin} */",
        "#include <corral/devices.h>",
    ]
    for driver in build.device_drivers:
        if driver.device is None:
            continue
        name = f"corral_{driver.name}_devices"
        lines += [
            "",
            f"const {driver.device.type} {name}[CORRAL_{driver.symbol}_DEVICE_COUNT] = {{",
        ]
        for i, element in enumerate(_of_driver(build, driver)):
            lines.append("    {")
            for device_field in driver.device.fields:
                value = _initialiser(device_field, element.fields[device_field.name].value)
                lines += _member(f"        .{device_field.name} = {value},")
            lines += [f"        .location = {element.macro},", f"        .index = {i},", "    },"]
        lines.append("};")
    return text_of(lines)


def _member(line: str) -> list[str]:
    """A member's initialiser, its list broken over lines if it is long."""
    if len(line) <= 100:
        return [line]
    start, _, rest = line.partition("{")
    indent = " " * (len(start) + 1)
    lines = [start + "{"]
    for item in rest.removesuffix("},").split(", "):
        glue = "" if lines[-1].endswith("{") else " "
        if len(lines[-1]) + len(glue) + len(item) + 2 > 100:
            lines.append(indent + item + ",")
        else:
            lines[-1] += f"{glue}{item},"
    lines[-1] = lines[-1].removesuffix(",") + "},"
    return lines
