// @ts-check
// Branches of the sidebar open and close in their place, and stay as they are from page to page.

/** Branches that are remembered, and those that are fetched at once. */
const [MOST, AT_ONCE] = [60, 12];
const KEY = "octavo-open";

const side = /** @type {HTMLElement | null} */ (document.querySelector(".side"));
const top = /** @type {HTMLElement | null | undefined} */ (side?.querySelector("[data-contents]"));
if (side && top) setUp(side, new URL(top.dataset.contents ?? "", location.href).href);

/** @param {HTMLElement} side @param {string} address */
function setUp(side, address) {
  const base = address.replace(/~octavo\/contents$/, "");
  /** @returns {HTMLLIElement[]} */
  const branches = () => [
    .../** @type {NodeListOf<HTMLLIElement>} */ (side.querySelectorAll("li:has(> a > .more)")),
  ];
  const linkOf = (/** @type {Element} */ item) => /** @type {HTMLAnchorElement} */ (item.firstElementChild);
  const listOf = (/** @type {Element} */ item) => item.querySelector(":scope > ul");
  const isOpen = (/** @type {Element} */ item) => item.classList.contains("open");

  /** @param {Element} item @param {boolean} open */
  function show(item, open) {
    item.classList.toggle("open", open);
    item.querySelector(":scope > button")?.setAttribute("aria-expanded", String(open));
  }

  function addButtons() {
    for (const item of branches().filter((item) => !item.querySelector(":scope > button"))) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", linkOf(item).textContent ?? "");
      button.setAttribute("aria-expanded", String(isOpen(item)));
      linkOf(item).after(button);
    }
  }

  /** Opens branches with what the server shows below them; throws where it does not. @param {HTMLLIElement[]} items */
  async function fetchBelow(items) {
    const pages = items.map((item) => `&page=${linkOf(item).href.slice(base.length)}`);
    const response = await fetch(`${address}?part=1${pages.join("")}`);
    if (!response.ok) throw new Error(`the response is ${response.status}`);
    // Written by our server, which escapes what pages say; the policy lets nothing in it run.
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    const lists = [...holder.content.children];
    if (lists.length !== items.length) throw new Error("the response is of something else");
    for (const [at, item] of items.entries()) {
      if (!listOf(item)) item.append(lists[at] ?? "");
      show(item, true);
    }
    addButtons();
  }

  /** Which branches were open when a page was left, and which were closed. @returns {Map<string, boolean>} */
  function remembered() {
    try {
      return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
    } catch {
      return new Map();
    }
  }

  /** Opens what was open, with what was open in there, and leaves the current entry where it stands. */
  async function restore() {
    const states = remembered();
    for (const item of branches())
      if (states.get(linkOf(item).href) === false && !item.querySelector("[aria-current]")) show(item, false);
    const current = side.querySelector("[aria-current]") ?? linkOf(side.querySelector("li") ?? side);
    for (let count = 0; count < AT_ONCE; count += 1) {
      const closed = branches().filter((item) => states.get(linkOf(item).href) && !isOpen(item));
      if (closed.length === 0) return;
      const before = current.getBoundingClientRect().top;
      await fetchBelow(closed.slice(0, AT_ONCE));
      side.scrollTop += current.getBoundingClientRect().top - before;
    }
  }

  addButtons();
  side.addEventListener("click", async ({ target }) => {
    const item = target instanceof Element ? target.closest("li > button")?.parentElement : undefined;
    if (!(item instanceof HTMLLIElement)) return;
    if (listOf(item)) return show(item, !isOpen(item));
    // Its page shows what is below it.
    await fetchBelow([item]).catch(() => linkOf(item).click());
  });
  addEventListener("pagehide", () => {
    const states = remembered();
    for (const item of branches().filter(listOf)) {
      const { href } = linkOf(item);
      states.delete(href);
      states.set(href, isOpen(item));
    }
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...states].slice(-MOST)));
    } catch {
      // They begin as the server shows them.
    }
  });
  // What nobody sees is not fetched.
  const restored = () => void restore().catch(() => undefined);
  if (side.offsetHeight > 0) restored();
  else side.addEventListener("toggle", restored, { once: true });
}
