# SPDX-License-Identifier: Apache-2.0
"""An image on its board, with the simulated elements."""
