// @ts-check
// What an anchor lies in is opened, so that it can be seen.

import { anchorIn } from "./page.js";

/** Opens what an anchor lies in, so that it can be seen. */
function reveal() {
  const target = document.getElementById(anchorIn(location.hash));
  for (let node = target; node; node = node.parentElement) {
    if (node instanceof HTMLDetailsElement) node.open = true;
    const input = node.classList.contains("tab") ? node.previousElementSibling?.previousElementSibling : null;
    if (input instanceof HTMLInputElement) input.checked = true;
  }
  target?.scrollIntoView();
}
addEventListener("hashchange", reveal);
if (location.hash) reveal();
