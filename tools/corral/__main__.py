# SPDX-License-Identifier: Apache-2.0
import signal
import sys

try:
    # The front door has it ignored, so that no traceback comes of it before this line.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from corral.cli import main

    status = main()
except KeyboardInterrupt:
    print("corral: interrupted", file=sys.stderr)
    status = 130
sys.exit(status)
