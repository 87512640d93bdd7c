# SPDX-License-Identifier: Apache-2.0
"""./corral export: the configured sources in a folder of their own."""
