# SPDX-License-Identifier: Apache-2.0
"""Descriptions that the build reads: drivers, boards, entry points, mechanisms."""
