# SPDX-License-Identifier: Apache-2.0
"""The library in a process of its own, asked by lines of text (wire.h)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

SUCCESS = 0
INVALID_ARGUMENT = -135
BUFFER_TOO_SMALL = -138
INVALID_SIGNATURE = -149
INVALID_PADDING = -150

#: A part of a command: a word, a number, or bytes.
Word = str | int | bytes

EXPORT = 0x1
ENCRYPT, DECRYPT = 0x100, 0x200
SIGN_MESSAGE, VERIFY_MESSAGE, SIGN_HASH, VERIFY_HASH = 0x400, 0x800, 0x1000, 0x2000
DERIVE, WRAP, UNWRAP = 0x4000, 0x10000, 0x20000


@dataclass(frozen=True)
class Answer:
    """A status, and its outputs."""

    status: int
    outputs: tuple[str, ...]

    @property
    def bytes(self) -> bytes:
        """The first output."""
        return decoded(self.outputs[0])


def decoded(word: str) -> bytes:
    return b"" if word == "-" else bytes.fromhex(word)


def _encoded(word: Word) -> str:
    if isinstance(word, bytes):
        return word.hex() or "-"
    return str(word)


class DifferenceError(AssertionError):
    """The library and the oracle disagree."""


class Subject:
    """One process; keys live until release()."""

    def __init__(self, image: Path, environment: dict[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [str(image)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self._keys: list[int] = []
        #: The commands since the last release(), to show when something is wrong.
        self.said: list[str] = []
        self.commands = 0

    def ask(self, *words: Word) -> Answer:
        line = " ".join(_encoded(word) for word in words)
        self.said.append(line)
        self.commands += 1
        try:
            _of(self._process.stdin).write(line + "\n")
            _of(self._process.stdin).flush()
        except BrokenPipeError:
            pass
        answer = _of(self._process.stdout).readline().split()
        if not answer:
            raise DifferenceError(f"the program ended:\n{_of(self._process.stderr).read()}")
        self.said.append(f"  {' '.join(answer)}")
        return Answer(int(answer[0]), tuple(answer[1:]))

    def expect(self, wanted: bytes, *words: Word) -> None:
        """The command succeeds with these bytes."""
        answer = self.ask(*words)
        if answer.status != SUCCESS or answer.bytes != wanted:
            raise DifferenceError(f"wanted 0 {wanted.hex() or '-'}")

    def refuse(self, status: int, *words: Word) -> None:
        """The command fails with this status, and hands nothing out."""
        answer = self.ask(*words)
        if answer.status != status or any(decoded(word) for word in answer.outputs):
            raise DifferenceError(f"wanted {status}")

    def accept(self, *words: Word) -> None:
        self.refuse(SUCCESS, *words)

    def take(self, *words: Word) -> Answer:
        """The answer of a command that must succeed."""
        answer = self.ask(*words)
        if answer.status != SUCCESS:
            raise DifferenceError("wanted 0")
        return answer

    def key(self, kind: int, alg: int, usage: int, data: bytes, bits: int = 0) -> int:
        """Import a key; release() destroys it."""
        key = int(self.take("import", kind, bits, alg, usage, data).outputs[0])
        self._keys.append(key)
        return key

    def keep(self, key: int) -> int:
        self._keys.append(key)
        return key

    def release(self) -> None:
        """Destroy the keys; the history begins anew."""
        for key in self._keys:
            self.accept("destroy", key)
        self._keys.clear()
        self.said.clear()

    def history(self, last: int = 12) -> Sequence[str]:
        return [line if len(line) < 4000 else f"{line[:4000]}..." for line in self.said[-last:]]

    def close(self) -> None:
        """End the process; a sanitizer's report at its end counts, too."""
        _, errors = self._process.communicate()
        if self._process.returncode != 0:
            raise DifferenceError(f"the program ended with {self._process.returncode}:\n{errors}")


def _of(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise AssertionError("the process has no such stream")
    return stream
