# SPDX-License-Identifier: Apache-2.0
"""./corral demo."""
