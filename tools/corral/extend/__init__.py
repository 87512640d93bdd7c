# SPDX-License-Identifier: Apache-2.0
"""For those who add a board, a driver or an application."""
