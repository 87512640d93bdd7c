# SPDX-License-Identifier: Apache-2.0
"""Building and running the test programs that are written in C."""
