# SPDX-License-Identifier: Apache-2.0
"""An index for cargo that holds one crate, by the hash that its description in packages/ asks for.

cargo believes an index what a crate's hash is, checks that, then unpacks the crate and reads it. By
this index it checks our hash; and as the crate depends on nothing here, cargo fetches nothing else.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Where the Rust registry keeps its archives.
DOWNLOADS = "https://static.crates.io/crates"


def _place(name: str) -> str:
    """The path of a crate in a sparse index."""
    name = name.lower()
    if len(name) < 3:
        return f"/{len(name)}/{name}"
    return f"/3/{name[0]}/{name}" if len(name) == 3 else f"/{name[:2]}/{name[2:4]}/{name}"


@contextmanager
def serving(name: str, version: str, sha256: str) -> Iterator[dict[str, str]]:
    """Serve such an index only on this machine; gives the environment by which cargo finds it."""
    crate = {"name": name, "vers": version, "deps": [], "cksum": sha256, "features": {}}
    pages = {"/config.json": {"dl": DOWNLOADS}, _place(name): {**crate, "yanked": False}}

    class Index(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            body = json.dumps(page).encode()
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield {
                "CARGO_REGISTRIES_PINNED_INDEX": f"sparse+http://127.0.0.1:{server.server_port}/",
                "no_proxy": ",".join(filter(None, (os.environ.get("no_proxy"), "127.0.0.1"))),
            }
        finally:
            server.shutdown()
            thread.join()
