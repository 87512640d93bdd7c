# SPDX-License-Identifier: Apache-2.0
"""Documents and headers that are made from descriptions."""
