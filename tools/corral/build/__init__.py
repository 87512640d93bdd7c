# SPDX-License-Identifier: Apache-2.0
"""From application and board to a linked image."""
