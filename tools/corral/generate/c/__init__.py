# SPDX-License-Identifier: Apache-2.0
"""C as trees (nodes.py, terms.py), what follows from them (names.py), the text (printer.py,
operators.py)."""
