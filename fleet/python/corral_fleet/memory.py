# SPDX-License-Identifier: Apache-2.0
"""The highest number of each device, kept in a file from run to run.

With it nobody can show the application an older reading than it has seen. It is no secret; who can
write it can only have readings refused, or older ones shown again.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from corral_fleet.errors import WrongSettingError
from corral_fleet.identity import Device
from corral_fleet.objects import Receiver


@dataclass
class Memory:
    """What the file says; without a file, nothing, and nothing is kept."""

    file: Path | None
    known: dict[str, tuple[int, bytes]]

    @classmethod
    def load(cls, file: Path | None) -> Memory:
        """Read it, if it exists. Raises WrongSettingError if it is something else."""
        if file is None or not file.exists():
            return cls(file, {})
        try:
            known = {
                str(identity): (int(row["highest"]), bytes.fromhex(row["last"]))
                for identity, row in json.loads(file.read_text(encoding="utf-8")).items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise WrongSettingError(
                f"{file} does not hold what was seen ({error}): name another file"
            ) from error
        return cls(file, known)

    def receiver(self, device: Device) -> Receiver:
        """Who takes the device's readings, from where it ended."""
        highest, last = self.known.get(str(device.identity), (None, b""))
        return Receiver(device, highest, last)

    def keep(self, receiver: Receiver) -> None:
        """Remember where it ended. The file is replaced at once, or stays as it was.

        Raises WrongSettingError if it cannot be written.
        """
        if self.file is None or receiver.highest is None:
            return
        self.known[str(receiver.device.identity)] = (receiver.highest, receiver.last)
        rows = {
            identity: {"highest": highest, "last": last.hex()}
            for identity, (highest, last) in sorted(self.known.items())
        }
        beside = self.file.with_name(self.file.name + ".new")
        try:
            with beside.open("w", encoding="utf-8") as out:
                json.dump(rows, out, indent=1)
                out.flush()
                os.fsync(out.fileno())
            beside.replace(self.file)
        except OSError as error:
            raise WrongSettingError(f"{self.file}: {error}") from error
