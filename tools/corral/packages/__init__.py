# SPDX-License-Identifier: Apache-2.0
"""Third-party code: fetched, checked, unpacked."""
