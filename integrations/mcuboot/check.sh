#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run MCUboot's simulator over Corral, against a checkout of MCUboot: see check.py --help.
exec python3 "$(dirname -- "$0")/check.py" "$@"
