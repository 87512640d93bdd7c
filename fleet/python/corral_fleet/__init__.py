# SPDX-License-Identifier: Apache-2.0
"""The application's side of a fleet: devices are found, read and commanded, and all is verified.

docs/fleet/APPLICATION.md shows how, docs/fleet/PROTOCOL.md says what is verified.
"""

from corral_fleet.bundle import Bundle, Original, open_bundle
from corral_fleet.commander import Commander, Outcome, read_result
from corral_fleet.errors import (
    CommandError,
    FleetError,
    Reason,
    RefusedError,
    UnreachableError,
    WrongSettingError,
)
from corral_fleet.fleet import Directory, Found, follow, follow_device, read
from corral_fleet.identity import Device, Identity, PublicKey
from corral_fleet.objects import Reading, Receiver, Registration, read_registration
from corral_fleet.peer import Peers
from corral_fleet.senml import Clock, Record
from corral_fleet.service import Service
from corral_fleet.trust import Trust

__all__ = [
    "Bundle",
    "Clock",
    "CommandError",
    "Commander",
    "Device",
    "Directory",
    "FleetError",
    "Found",
    "Identity",
    "Original",
    "Outcome",
    "Peers",
    "PublicKey",
    "Reading",
    "Reason",
    "Receiver",
    "Record",
    "RefusedError",
    "Registration",
    "Service",
    "Trust",
    "UnreachableError",
    "WrongSettingError",
    "follow",
    "follow_device",
    "open_bundle",
    "read",
    "read_registration",
    "read_result",
]
