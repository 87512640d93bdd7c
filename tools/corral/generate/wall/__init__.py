# SPDX-License-Identifier: Apache-2.0
"""The remote call: a message for each function of the API, made and taken apart (docs/WALL.md)."""
