// SPDX-License-Identifier: Apache-2.0
// Wide tables and code scroll: a keyboard can reach them. The buttons of each code block have a
// name.
document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", reach);
  reach();
});

function reach() {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    table.tabIndex = 0;
  }
  for (const code of document.querySelectorAll(".md-typeset pre > code:not([tabindex])")) {
    if (code.scrollWidth > code.clientWidth) {
      code.tabIndex = 0;
    }
  }
  document.querySelectorAll(".md-code__nav:not([aria-label])").forEach((nav) => {
    const done = document.querySelectorAll(".md-code__nav[aria-label]").length;
    nav.setAttribute("aria-label", `Code block ${done + 1}`);
  });
}
