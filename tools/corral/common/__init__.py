# SPDX-License-Identifier: Apache-2.0
"""What every floor stands on: what is said, tables, programs of the system."""
