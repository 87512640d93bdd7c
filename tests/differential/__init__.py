# SPDX-License-Identifier: Apache-2.0
"""The library compared with OpenSSL, by experiments drawn at random."""
