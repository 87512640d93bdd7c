# SPDX-License-Identifier: Apache-2.0
"""axe-core finds no fault in pages of the site, as a browser shows them: wide and narrow, light and
dark.

The browser loads a copy of a page that ends with axe-core and the script below, and prints the page
after its scripts. Waiting is by the browser's own clock, which stands still while a script works.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from corral.common import system
from corral.packages import fetch
from harness import areas
from harness.site import ROOT

#: Built by test_site, too.
pytestmark = pytest.mark.xdist_group("test_site")

#: Pages with all that pages are made of: tables, code, diagrams, charts, lists of files.
PAGES = (
    "index.html",
    "start.html",
    "design.html",
    "configuration.html",
    "bench.html",
    "troubleshooting.html",
    "fleet/security.html",
    "reference/index.html",
    "reference/psa/crypto_mac.html",
    "tree/drivers/pkcs11/index.html",
)
APPEARANCES = {"wide and light": (1280, "default"), "narrow and dark": (500, "slate")}

SCRIPT = """
addEventListener("load", async () => {
  if ("%s" === "slate") document.getElementById("__palette_1").click();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const { passes, violations } = await axe.run(document);
  const result = document.createElement("script");
  result.type = "application/json";
  result.id = "result";
  result.textContent = JSON.stringify({
    width: innerWidth,
    scheme: document.body.dataset.mdColorScheme,
    passes: passes.length,
    violations: violations.map((rule) => [rule.id, ...rule.nodes.map((node) => node.html)]),
  }).replaceAll("<", "\\\\u003c");
  document.body.append(result);
});
"""


@pytest.fixture(scope="session")
def browser() -> str:
    if areas.is_long():
        system.ensure([], {"chromium": "chromium"})
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium, which --long installs")
    return program


def examined(browser: str, page: Path, width: int, scheme: str, folder: Path) -> dict[str, Any]:
    """What axe-core reports of a page."""
    axe = (fetch.ensure(ROOT, "axe_core") / "axe.min.js").as_uri()
    scripts = f'<script src="{axe}"></script><script>{SCRIPT % scheme}</script></body>'
    copy = page.with_name(f"examined-{page.name}")
    copy.write_text(page.read_text().replace("</body>", scripts))
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000"]
    options += [f"--window-size={width},900", f"--user-data-dir={folder}", "--dump-dom"]
    try:
        command = [browser, *options, copy.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        copy.unlink()
    found = re.search(r'id="result">(.*?)</script>', done.stdout, re.S)
    assert found, done.stderr
    result: dict[str, Any] = json.loads(found[1])
    return result


@pytest.mark.parametrize("appearance", APPEARANCES)
@pytest.mark.parametrize("page", PAGES)
def test_page_has_no_fault(
    page: str, appearance: str, browser: str, site: Path, tmp_path: Path
) -> None:
    width, scheme = APPEARANCES[appearance]
    result = examined(browser, site / page, width, scheme, tmp_path)
    assert (result["width"], result["scheme"]) == (width, scheme)
    assert result["passes"] > 30
    assert result["violations"] == []


def test_fault_of_a_page_is_found(browser: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<html lang="en"><title>Page</title><body><main><img src="x"></main></body>')
    result = examined(browser, page, 1280, "default", tmp_path / "profile")
    assert [rule[0] for rule in result["violations"]] == ["image-alt", "page-has-heading-one"]
