# SPDX-License-Identifier: Apache-2.0
import io
import signal
import sys

try:
    # The front door has it ignored, so that no traceback comes of it before this line.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Names of files are written also where their letters cannot be.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    from corral.cli import main

    status = main()
    # All is done: what Python has to clear up yet is not interrupted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
except KeyboardInterrupt:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("corral: interrupted", file=sys.stderr)
    status = 130
sys.exit(status)
