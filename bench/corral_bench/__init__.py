# SPDX-License-Identifier: Apache-2.0
"""Measurements that repeat exactly: bytes from the linker map, instructions from an emulator."""
