# SPDX-License-Identifier: Apache-2.0
"""Flash and RAM of an image."""
