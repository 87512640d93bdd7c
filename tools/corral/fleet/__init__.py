# SPDX-License-Identifier: Apache-2.0
"""./corral fleet: the devices, the server and the network of a fleet, on this computer."""
