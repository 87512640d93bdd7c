# SPDX-License-Identifier: Apache-2.0
"""Kconfig, and the choice of a driver for each mechanism."""
