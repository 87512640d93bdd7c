# SPDX-License-Identifier: Apache-2.0
"""The generator: C headers, source list and reports from a settled configuration."""
