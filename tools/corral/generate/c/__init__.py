# SPDX-License-Identifier: Apache-2.0
"""C as trees (nodes.py, terms.py), their derived properties (names.py), the text
(printer.py, operators.py)."""
