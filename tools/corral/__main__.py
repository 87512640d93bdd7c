# SPDX-License-Identifier: Apache-2.0
import sys

from corral.cli import main

sys.exit(main())
