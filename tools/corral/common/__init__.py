# SPDX-License-Identifier: Apache-2.0
"""Modules that all others use: progress, tables, programs of the system."""
