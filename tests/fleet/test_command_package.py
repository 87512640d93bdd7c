# SPDX-License-Identifier: Apache-2.0
"""Commands by the package, of what no device takes."""

from __future__ import annotations

import asyncio
import datetime
import math
from typing import Any

import pytest
from corral_fleet import Commander, Identity, Service, WrongSettingError
from reference import Signer
from test_command import CHALLENGE
from test_command_applications import DEVICE, SHOWN
from test_command_http import lying

SENDER = Commander(Signer.ed25519().key)


def test_wait__that_is_no_number__is_refused_before_anybody_is_asked() -> None:
    _refused_at_once("heat", None, math.nan)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        *((None, None), (b"heat", None), (7, None)),
        *(("heat", value) for value in (object(), datetime.datetime.now(datetime.UTC), [], {})),
        *(("heat", value) for value in ("x" * 1024, bytes(1024), "ü" * 512)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_command__that_no_device_takes__is_refused_before_anybody_is_asked(
    name: Any, argument: Any
) -> None:
    _refused_at_once(name, argument, 0)


def _refused_at_once(name: Any, argument: Any, wait: float) -> None:
    with lying(SHOWN) as (url, liar):
        sent = Service.at(url, "cft_made-up").command(
            SENDER, Identity(DEVICE.identity), name, argument, wait=wait
        )
        with pytest.raises(WrongSettingError):
            asyncio.run(sent)
    assert liar.asked == []


def test_longest_command__is_as_long_as_an_object_may_be() -> None:
    for signer in (Signer.p256(), Signer.ed25519()):
        sender = Commander(signer.key)
        longest = 0
        for length in range(1024):
            try:
                sender.check("heat", "x" * length)
            except WrongSettingError:
                break
            longest = length
        made = sender.command(Identity(DEVICE.identity), CHALLENGE, "heat", "x" * longest)
        assert len(made) == 1024
