# SPDX-License-Identifier: Apache-2.0
"""dispatch/random.h and dispatch/init.h."""

from __future__ import annotations

from corral.generate.build import Build
from corral.generate.c.nodes import Assign, Body, Define, Function, Group, Return, when
from corral.generate.c.terms import term
from corral.generate.functions import STATUS, STATUS_TYPE, SUCCESS, dispatch, family_header
from corral.generate.multipart import continued


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
        continued(layer, build.row("init_random")),
        continued(layer, build.row("add_entropy")),
        continued(layer, build.row("get_random")),
    ]
    return family_header(build, "random", __name__, "Who generates random bytes.", items)


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
