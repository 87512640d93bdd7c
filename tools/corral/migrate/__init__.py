# SPDX-License-Identifier: Apache-2.0
"""./corral migrate: a configuration of Mbed TLS, TF-PSA-Crypto, Zephyr or nRF, as one of ours.

names.toml has the equivalents. The result is configured for a board before it is written, so a
symbol that has no effect there becomes a comment with the reason.
"""
