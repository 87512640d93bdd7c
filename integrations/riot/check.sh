#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run RIOT's own tests over Corral, against a checkout of RIOT: see check.py --help.
exec python3 "$(dirname -- "$0")/check.py" "$@"
