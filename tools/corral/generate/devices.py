# SPDX-License-Identifier: Apache-2.0
"""devices.h and devices.c: the elements of the board, as their drivers want them described."""

from __future__ import annotations

from typing import Any

from corral.generate.build import Build
from corral.generate.c.nodes import (
    Array,
    Body,
    Define,
    Function,
    Group,
    Item,
    List,
    Parameter,
    Record,
    Return,
)
from corral.generate.c.terms import Cast, Name, Term, Type, term, text_literal
from corral.generate.dispatch import location_of
from corral.generate.files import header, source
from corral.generate.functions import ATTRIBUTES_TYPE, LOCATION, SIZE
from corral.generate.lengths import switch_of
from corral.model.board import Element
from corral.model.driver import DeviceField, DeviceType, Driver

ROWS = "the board's elements"


def _described(build: Build) -> list[tuple[Driver, DeviceType, list[Element]]]:
    """The drivers that want their devices described, each with its elements."""
    return [
        (driver, driver.device, [e for e in build.devices if e.driver == driver.name])
        for driver in build.device_drivers
        if driver.device is not None
    ]


def _table(driver: Driver, device: DeviceType, rows: tuple[Record, ...] = ()) -> Array:
    count = Name(f"CORRAL_{driver.symbol}_DEVICE_COUNT", ("corral/devices.h",) if rows else ())
    device_type = Type(device.type, (driver.path_of(device.header),))
    return Array(device_type, f"corral_{driver.name}_devices", count, rows)


def devices_header(build: Build) -> str:
    items: list[Item] = []
    for driver, device, elements in _described(build):
        count = Define(f"CORRAL_{driver.symbol}_DEVICE_COUNT", term(len(elements)))
        keyless = Return(Name(f"CORRAL_{driver.symbol}_KEYLESS_DEVICE", ("corral/config.h",)))
        items += [
            Group((count, *_held(driver, elements))),
            _table(driver, device),
            _index(driver, elements),
            Function(
                SIZE,
                f"corral_{driver.name}_keyless_device",
                (),
                (keyless,),
                "Position of the device that runs requests without a key.",
            ),
        ]
    subject = "The table of devices, in the order of the board's description."
    needed = ("corral/config.h", "corral/locations.h", "psa/crypto.h")
    return header(build, "devices.h", __name__, subject, items, ROWS, needed)


def _held(driver: Driver, elements: list[Element]) -> list[Define]:
    """Whether any device has a value that capabilities ask for: a value that none has
    costs nothing."""
    wanted = dict.fromkeys(item for c in driver.capabilities for item in c.devices.items())
    return [
        Define(
            f"CORRAL_{driver.symbol}_ANY_{name.upper()}_{value.upper()}",
            term(int(any(element.has({name: value}) for element in elements))),
        )
        for name, value in wanted
    ]


def _index(driver: Driver, elements: list[Element]) -> Function:
    locations = [element.location for element in elements]
    if len(elements) == 1:
        body: Body = (Return(term(0)),)
    elif locations == list(range(locations[0], locations[0] + len(locations))):
        body = (Return(Cast(SIZE, LOCATION.with_operator("-", location_of(elements[0])))),)
    else:
        numbers: dict[Term, Term] = {
            location_of(element): term(i) for i, element in enumerate(elements[:-1])
        }
        body = switch_of(LOCATION, numbers, term(len(elements) - 1))
    return Function(
        SIZE,
        f"corral_{driver.name}_device_index",
        (Parameter(ATTRIBUTES_TYPE, "attributes"),),
        body,
        "Position of the device that keeps a key. Call only with keys of this driver's elements.",
    )


def _value(device_field: DeviceField, value: Any) -> Term:
    match device_field.kind:
        case "enum":
            return Name(device_field.values[value])
        case "boolean":
            return Name("true" if value else "false")
        case "string":
            return text_literal(str(value))
        case _:
            return term(int(value))


def _initialiser(device_field: DeviceField, value: Any) -> Term | List:
    if device_field.is_list:
        values = tuple(_value(device_field, item) for item in value)
        return List(values if values else (term(0),))
    return _value(device_field, value)


def _row(device: DeviceType, index: int, element: Element) -> Record:
    described = [
        (field.name, _initialiser(field, element.fields[field.name].value))
        for field in device.fields
    ]
    return Record((*described, ("location", location_of(element)), ("index", term(index))))


def devices_source(build: Build) -> str:
    items = [
        _table(driver, device, tuple(_row(device, i, e) for i, e in enumerate(elements)))
        for driver, device, elements in _described(build)
    ]
    return source(build, __name__, items, ["corral/devices.h"], ROWS)
