# SPDX-License-Identifier: Apache-2.0
"""Published test vectors, read from the packages that carry them and written as C tables."""
