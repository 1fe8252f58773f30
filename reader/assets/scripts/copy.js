// @ts-check
// Buttons that copy code, and the markdown of the page.

import { all, words } from "./page.js";

/** Shows what a button did, for a moment. @param {HTMLElement} button @param {string} text */
function showBriefly(button, text) {
  if (button.classList.contains("done")) return;
  const before = button.lastChild?.textContent ?? "";
  if (button.lastChild) button.lastChild.textContent = text;
  button.classList.add("done");
  setTimeout(() => {
    if (button.lastChild) button.lastChild.textContent = before;
    button.classList.remove("done");
  }, 1500);
}

/** Browsers give pages no clipboard that come without TLS. @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "hidden";
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!copied) throw new Error("the browser does not let this page copy");
}

/** Has a button copy, and say whether it did. @param {HTMLElement} button @param {() => string | Promise<string>} textOf */
function copyBy(button, textOf) {
  button.addEventListener("click", async () => {
    try {
      await copy(await textOf());
      showBriefly(button, words.copied ?? "");
    } catch {
      showBriefly(button, words.failed ?? "");
    }
  });
}

// Copies code exactly as it is written.
for (const pre of all("figure.code pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = words.copy ?? "";
  copyBy(button, () => pre.textContent ?? "");
  pre.parentElement?.append(button);
}
for (const button of /** @type {HTMLButtonElement[]} */ (all("[data-copy-page]"))) {
  button.hidden = false;
  copyBy(button, async () => {
    const response = await fetch(button.dataset.copyPage ?? "");
    if (!response.ok) throw new Error(`the page is ${response.status}`);
    return response.text();
  });
}
