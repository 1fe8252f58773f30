// @ts-check
// The next page shows the sidebar where it is now; a script of the page puts it there before it is painted.

const side = /** @type {HTMLElement | null} */ (document.querySelector(".side"));
/** The entry that was chosen, and where it stands in the window. @type {[string, number] | []} */
let chosen = [];
side?.addEventListener("click", ({ target }) => {
  const entry = target instanceof Element ? target.closest("a") : null;
  chosen = entry ? [entry.href, entry.getBoundingClientRect().top] : [];
});
addEventListener("pagehide", () => {
  const first = side?.querySelector("a");
  if (!side || !first || side.offsetHeight === 0) return;
  try {
    sessionStorage.setItem("octavo-side", JSON.stringify([first.href, side.scrollTop, ...chosen]));
  } catch {
    // It begins at its top.
  }
});
side?.addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  side.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
});
