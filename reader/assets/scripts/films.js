// @ts-check
// Films play in their place, once somebody asks for it.

document.addEventListener("click", (event) => {
  const card = event.target instanceof Element ? event.target.closest("[data-embed]") : null;
  if (!(card instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const frame = document.createElement("iframe");
  frame.className = "player";
  // Players refuse to play for nobody: they are told the origin of the site, and no page of it.
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  frame.src = card.dataset.embed ?? "";
  frame.allow = "fullscreen; picture-in-picture";
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-presentation allow-popups");
  frame.title = card.textContent ?? "";
  card.replaceWith(frame);
});
