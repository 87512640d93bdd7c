# SPDX-License-Identifier: Apache-2.0
"""dispatch/random.h and dispatch/init.h."""

from __future__ import annotations

from corral.generate.build import Build
from corral.generate.c.nodes import (
    Arm,
    Assign,
    Body,
    Define,
    Function,
    Group,
    Item,
    Parameter,
    Prototype,
    Return,
    Switch,
    when,
)
from corral.generate.c.terms import Name, Type, term
from corral.generate.functions import (
    SIZE,
    STATUS,
    STATUS_TYPE,
    SUCCESS,
    dispatch,
    family_header,
    names,
)
from corral.generate.multipart import continued

#: Of corral_port_entropy(), and of every further source of a board (corral/port.h).
_SOURCE = (
    Parameter(Type("uint8_t *"), "output"),
    Parameter(SIZE, "size"),
    Parameter(Type("size_t *"), "estimate_bits"),
)


def _sources(build: Build) -> list[Item]:
    """How many entropy sources the board has, and one function for all of them."""
    further = [f"corral_port_entropy_{name}" for name in build.board.further_entropy]
    own = Return(Name("corral_port_entropy", ("corral/port.h",)).call(*names(_SOURCE)))
    arms = tuple(
        Arm((term(i),), (Return(Name(name).call(*names(_SOURCE))),))
        for i, name in enumerate(further, 1)
    )
    source = Name("source")
    return [
        Group((Define("CORRAL_ENTROPY_SOURCE_COUNT", term(1 + len(further))),)),
        *(Prototype(STATUS_TYPE, name, _SOURCE) for name in further),
        Function(
            STATUS_TYPE,
            dispatch("read_entropy").text,
            (Parameter(SIZE, source.text), *_SOURCE),
            (Switch(source, arms, (own,)),) if arms else (own,),
            "Source 0 is the port's own, the others are those that the board lists.",
        ),
    ]


def random_header(build: Build) -> str:
    initial, reseed = 0, 0
    for binding in build.of_unit("get_random"):
        capability = binding.chain[0]
        initial, reseed = capability.initial_entropy_size, capability.reseed_entropy_size
    sizes = (
        Define("CORRAL_RANDOM_INITIAL_ENTROPY_SIZE", term(initial)),
        Define("CORRAL_RANDOM_RESEED_ENTROPY_SIZE", term(reseed)),
    )
    comment = "Bytes of full entropy that the generator needs before its first use, and to reseed."
    layer = build.layers["random"]
    items = [
        Group(sizes, comment),
        *_sources(build),
        continued(layer, build.row("init_random")),
        continued(layer, build.row("add_entropy")),
        continued(layer, build.row("get_random")),
    ]
    return family_header(build, "random", __name__, "Drivers that generate random bytes.", items)


def init_header(build: Build) -> str:
    calls = [
        build.call(capability, "init", [])
        for capabilities in build.bindings.drivers.values()
        for capability in capabilities
        if "init" in capability.entry_points
    ]
    body: Body = ()
    for call in calls[:-1]:
        body = (*body, Assign(STATUS, call), when(STATUS.differs(SUCCESS), Return(STATUS)))
    body = (*body, Return(calls[-1] if calls else SUCCESS))
    function = Function(STATUS_TYPE, dispatch("init").text, (), body)
    subject = "Initialisation of the drivers that ask for it."
    return family_header(build, "init", __name__, subject, [function])
