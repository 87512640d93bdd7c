# SPDX-License-Identifier: Apache-2.0
"""Corral: command line, configuration, generator, packages."""
