# SPDX-License-Identifier: Apache-2.0
"""Corral: command line, configuration, generator, packages."""

from pathlib import Path

#: The tree that these tools are in.
ROOT = Path(__file__).resolve().parents[2]
