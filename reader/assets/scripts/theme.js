// @ts-check
// Light or dark, kept for the next page.

import { all } from "./page.js";

for (const button of all("[data-theme-switch]")) {
  /** @type {HTMLElement} */ (button).hidden = false;
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("octavo-theme", root.dataset.theme);
    } catch {
      // Kept for this page alone.
    }
  });
}
