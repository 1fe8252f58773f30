// @ts-check
// The outline follows what is read.

import { all, anchorIn } from "./page.js";

const links = new Map(
  /** @type {HTMLAnchorElement[]} */ (all(".outline nav a")).map((link) => [anchorIn(link.hash), link]),
);
if (links.size > 0) {
  const headings = all(".text :is(h2, h3)[id]").filter(({ id }) => links.has(id));
  /** Headings that begin above the lower three quarters of the window. @type {Set<Element>} */
  const passed = new Set();
  // Not by positions, which would lay out a long page before it is shown.
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) passed.add(target);
        else passed.delete(target);
      }
      const current = headings.findLast((heading) => passed.has(heading)) ?? headings[0];
      for (const [id, link] of links) {
        if (id === current?.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "10000000px 0px -75% 0px" },
  );
  for (const heading of headings) seen.observe(heading);
}

// Headings are left from where they were chosen.
const beside = /** @type {HTMLElement | null} */ (document.querySelector(".outline"));
beside?.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("nav a") && beside.matches(":popover-open"))
    beside.hidePopover();
});
