# SPDX-License-Identifier: Apache-2.0
import io
import os
import signal
import sys
from types import FrameType

_ENDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "ended"}
_AGAIN = signal.SIGALRM
_came: list[int] = []


def _told() -> int:
    """Print the reason for the end, and return its status."""
    first = signal.Signals(_came[0] if _came else signal.SIGINT)
    print(f"corral: {_ENDS[first]}", file=sys.stderr, flush=True)
    return 128 + first


def _end_at_once(number: int, _frame: FrameType | None) -> None:
    """Leave while modules are read: nothing was started, and an exception could be lost in them."""
    _came.append(number)
    os._exit(_told())


def _end(number: int, _frame: FrameType | None) -> None:
    """Leave as by an exception, so child processes end, too."""
    _came.append(number)
    raise KeyboardInterrupt


def _end_later(what: "sys.UnraisableHookArgs") -> None:
    """Have an end come again that a callback of Python's own has swallowed."""
    if _came and isinstance(what.exc_value, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, 0.01)
    else:
        sys.__unraisablehook__(what)


try:
    # The front door has the first ignored, so that no traceback comes of it before this line.
    for number in _ENDS:
        signal.signal(number, _end_at_once)
    # Names of files are written also where their letters cannot be.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    # A repeated build needs little of the following imports.
    status = None
    if sys.argv[1:2] == ["build"]:
        for number in _ENDS:
            signal.signal(number, _end)
        from corral.build.again import build

        status = build(sys.argv[1:])
        for number in _ENDS:
            signal.signal(number, _end_at_once)
    if status is None:
        from corral.cli import main
    sys.unraisablehook = _end_later
    for number in (*_ENDS, _AGAIN):
        signal.signal(number, _end)
    if status is None:
        status = main()
    # All is done: Python's own clean-up is not interrupted.
    for number in (*_ENDS, _AGAIN):
        signal.signal(number, signal.SIG_IGN)
except KeyboardInterrupt:
    for number in (*_ENDS, _AGAIN):
        signal.signal(number, signal.SIG_IGN)
    status = _told()
sys.exit(status)
