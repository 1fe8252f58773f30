// @ts-check
// Opens images as large as the window, where a page shows them smaller than they are.

import { all, words } from "./page.js";

const { enlarge = "", close = "" } = words;

/** Natural width over shown width from which on enlarging an image is worth it. */
const MIN_RATIO = 1.2;

/** Shows an image in a dialog, until that is clicked or closed. @param {HTMLImageElement} image */
function open({ src, alt }) {
  const dialog = document.createElement("dialog");
  dialog.className = "large-image";
  dialog.setAttribute("aria-label", alt || enlarge);
  const large = new Image();
  large.src = src;
  large.alt = alt;
  const closeButton = document.createElement("button");
  closeButton.type = "button";
  closeButton.textContent = "×";
  closeButton.setAttribute("aria-label", close);
  dialog.append(large, closeButton);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Makes an image a button, for the pointer and for the keyboard. @param {HTMLImageElement} image */
function makeEnlargeable(image) {
  if (image.role === "button" || image.naturalWidth < image.clientWidth * MIN_RATIO) return;
  if (!image.alt) image.setAttribute("aria-label", enlarge);
  image.role = "button";
  image.tabIndex = 0;
  image.ariaHasPopup = "dialog";
  image.addEventListener("click", () => open(image));
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open(image);
  });
}

for (const image of /** @type {HTMLImageElement[]} */ (all(".images img"))) {
  // One that is not shown, for the other theme, becomes a button when it is.
  new ResizeObserver(() => image.complete && image.clientWidth > 0 && makeEnlargeable(image)).observe(image);
  image.addEventListener("load", () => image.clientWidth > 0 && makeEnlargeable(image));
}
