# SPDX-License-Identifier: Apache-2.0
"""Whom the application believes: a list of identities, of devices and of groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corral_fleet.errors import Reason, RefusedError, WrongSettingError
from corral_fleet.identity import Identity


@dataclass
class Trust:
    """Identities with a name each, which may be empty: a place, say."""

    names: dict[Identity, str] = field(default_factory=dict)

    @classmethod
    def of(cls, labels: Iterable[str]) -> Trust:
        """From labels in any form. Raises WrongSettingError."""
        return cls({Identity.parse(label): "" for label in labels})

    @classmethod
    def from_file(cls, file: Path) -> Trust:
        """From lines `identity, name, ...`, as `corral-fleet enrol --from` takes them.

        Raises WrongSettingError, with the line.
        """
        made = cls()
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise WrongSettingError(f"{file}: {error}") from error
        for number, line in enumerate(lines, 1):
            parts = [part.strip() for part in line.partition("#")[0].split(",")]
            if parts == [""]:
                continue
            try:
                made.names[Identity.parse(parts[0])] = parts[1] if len(parts) > 1 else ""
            except WrongSettingError as error:
                raise WrongSettingError(f"{file}, line {number}: {error}") from error
        return made

    def __contains__(self, identity: Identity) -> bool:
        return identity in self.names

    def __iter__(self) -> Iterator[Identity]:
        return iter(self.names)

    def reveal(self, members: Iterable[Identity]) -> Identity:
        """Believe the members of a trusted group, whose list may come from any source.

        The group's own identity, which signs nothing, is left out from now on. Returns it.
        Raises RefusedError (NOT_TRUSTED) if they are no such group; then nothing has changed.
        """
        members = list(members)
        group = Identity.of_group(members)
        if group not in self.names:
            raise RefusedError(Reason.NOT_TRUSTED, f"the group of these members is {group}")
        name = self.names.pop(group)
        for member in members:
            self.names.setdefault(member, name)
        return group
