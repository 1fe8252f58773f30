// @ts-check
// What pages gain by scripts: everything is there without them.

/** @template {Element} E @param {string} selector @param {ParentNode} [within] @returns {E[]} */
const all = (selector, within = document) => /** @type {E[]} */ ([...within.querySelectorAll(selector)]);

/** Words in the language of the page. */
const words = document.documentElement.dataset;

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

// Light or dark, kept for the next page.
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

/** The anchor that a fragment names: as it is where it encodes nothing. @param {string} hash */
function anchorIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

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

// The outline follows what is read.
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

// Headings are left from where they were chosen.
const beside = /** @type {HTMLElement | null} */ (document.querySelector(".outline"));
beside?.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("nav a") && beside.matches(":popover-open"))
    beside.hidePopover();
});

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
