# SPDX-License-Identifier: Apache-2.0
import io
import signal
import sys
from types import FrameType

_ENDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "ended"}
_came: list[int] = []


def _end(number: int, _frame: FrameType | None) -> None:
    """Leave as by an exception, so that what was started ends, too."""
    _came.append(number)
    raise KeyboardInterrupt


try:
    # The front door has the first ignored, so that no traceback comes of it before this line.
    for number in _ENDS:
        signal.signal(number, _end)
    # Names of files are written also where their letters cannot be.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    from corral.cli import main

    status = main()
    # All is done: what Python has to clear up yet is not interrupted.
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)
except KeyboardInterrupt:
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)
    first = signal.Signals(_came[0] if _came else signal.SIGINT)
    print(f"corral: {_ENDS[first]}", file=sys.stderr)
    status = 128 + first
sys.exit(status)
