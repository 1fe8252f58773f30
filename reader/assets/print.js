// @ts-check
// Opens what is folded away, and prints.

for (const details of document.querySelectorAll("details")) details.open = true;
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-print]"));
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
