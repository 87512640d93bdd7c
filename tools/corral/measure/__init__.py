# SPDX-License-Identifier: Apache-2.0
"""What an image takes of flash and RAM."""
