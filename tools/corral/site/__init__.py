# SPDX-License-Identifier: Apache-2.0
"""./corral docs: the documents as a site, by MkDocs and tools/site."""
