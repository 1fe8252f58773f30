// @ts-check
// Tabs of one title are chosen together, and stay so from page to page.

import { all } from "./page.js";

/** The label of a choice among tabs. @param {HTMLInputElement} input */
const titleOf = (input) => input.nextElementSibling?.textContent ?? "";
/** Chooses the tabs of a title wherever they are. @param {string} title */
function choose(title) {
  for (const group of all(".tabs")) {
    const inputs = /** @type {HTMLInputElement[]} */ (all(":scope > input", group));
    const found = inputs.find((input) => titleOf(input) === title);
    if (found) found.checked = true;
  }
}
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest(".tabs")) return;
  const top = target.getBoundingClientRect().top;
  choose(titleOf(target));
  scrollBy(0, target.getBoundingClientRect().top - top);
  try {
    sessionStorage.setItem("octavo-tab", titleOf(target));
  } catch {
    // Kept for this page alone.
  }
});
try {
  choose(sessionStorage.getItem("octavo-tab") ?? "");
} catch {
  // The first ones stay.
}
