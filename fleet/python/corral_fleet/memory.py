# SPDX-License-Identifier: Apache-2.0
"""The highest number of each device, kept in a file of SQLite from run to run.

With it no server can show the application an older reading than it has seen. Several runs may share
it. It is no secret; an attacker that can write it can only cause readings to be
rejected, or older ones to be shown again.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from corral_fleet.errors import WrongSettingError
from corral_fleet.identity import Device
from corral_fleet.objects import Receiver

# Numbers are 8 bytes, big-endian: SQLite's own have 63 bits, and these it puts in the same order.
_TABLE = """
CREATE TABLE IF NOT EXISTS seen
(identity BLOB PRIMARY KEY, highest BLOB NOT NULL, last BLOB NOT NULL)
"""
_READ = "SELECT highest, last FROM seen WHERE identity = ?"
# Numbers that another run has seen meanwhile are not lowered.
_KEEP = """
INSERT INTO seen (identity, highest, last) VALUES (?, ?, ?) ON CONFLICT (identity)
DO UPDATE SET highest = excluded.highest, last = excluded.last WHERE excluded.highest > highest
"""


class Memory:
    """The content of the file; without a file, nothing, and nothing is kept."""

    def __init__(self, file: Path | None) -> None:
        """Open it, or begin it. Raises WrongSettingError if it is something else."""
        self._file = file
        if file is None:
            return
        with self._telling():
            self._store = sqlite3.connect(file, isolation_level=None)
            self._store.execute("PRAGMA synchronous = EXTRA")  # a reading is shown once it is kept
            self._store.execute(_TABLE)

    def receiver(self, device: Device) -> Receiver:
        """The receiver of the device's readings, from where it ended. Raises WrongSettingError."""
        row = None
        if self._file is not None:
            with self._telling():
                row = self._store.execute(_READ, [device.identity.octets]).fetchone()
        if row is None:
            return Receiver(device)
        highest, last = row
        if not isinstance(highest, bytes) or len(highest) != 8 or not isinstance(last, bytes):
            raise WrongSettingError(self._complaint("a number of another form"))
        return Receiver(device, int.from_bytes(highest, "big"), last)

    def keep(self, receiver: Receiver) -> None:
        """Remember where it ended. Raises WrongSettingError if it cannot be written."""
        if self._file is None or receiver.highest is None:
            return
        highest = receiver.highest.to_bytes(8, "big")
        with self._telling():
            self._store.execute(_KEEP, [receiver.device.identity.octets, highest, receiver.last])

    def _complaint(self, what: object) -> str:
        return f"{self._file} cannot hold what was seen ({what}): name another file"

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as error:
            raise WrongSettingError(self._complaint(error)) from error
