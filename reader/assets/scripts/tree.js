// @ts-check
// Branches of the sidebar open and close in their place, and stay as readers leave them from page to page. Those that are open
// around the current page are not remembered: they would move each page that comes next.

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

  /** The lists that the server shows below branches; throws where it does not. @param {HTMLLIElement[]} items */
  async function listsBelow(items) {
    const pages = items.map((item) => `&page=${linkOf(item).href.slice(base.length)}`);
    const response = await fetch(`${address}?part=1${pages.join("")}`);
    if (!response.ok) throw new Error(`the response is ${response.status}`);
    // Written by our server, which escapes what pages say; the policy lets nothing in it run.
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    const lists = [...holder.content.children];
    if (lists.length !== items.length) throw new Error("the response is of something else");
    return lists;
  }

  /** @param {HTMLLIElement[]} items @param {Element[]} lists */
  function open(items, lists) {
    for (const [at, item] of items.entries()) {
      if (!listOf(item)) item.append(lists[at] ?? "");
      show(item, true);
    }
    addButtons();
  }

  /** Which branches somebody opened, and which they closed. @returns {Map<string, boolean>} */
  function remembered() {
    try {
      return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
    } catch {
      return new Map();
    }
  }

  /** @param {HTMLLIElement} item */
  function remember(item) {
    const states = remembered();
    const { href } = linkOf(item);
    states.delete(href);
    states.set(href, isOpen(item));
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...states].slice(-MOST)));
    } catch {
      // It begins as the server shows it.
    }
  }

  /** Where an entry stood when it was chosen on the page before; undefined for others. @param {HTMLAnchorElement} entry */
  function chosenAt({ href }) {
    try {
      const [, , chosen, top] = JSON.parse(sessionStorage.getItem("octavo-side") ?? "[]");
      return chosen === href ? Number(top) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Opens what was open, with what was open in there, and puts the current entry where it was chosen: a sidebar that was
   * shorter may not have reached that. Once somebody scrolls, the entry stays where it stands then.
   */
  async function restore() {
    const states = remembered();
    const current = /** @type {HTMLAnchorElement} */ (
      side.querySelector("[aria-current]") ?? linkOf(side.querySelector("li") ?? side)
    );
    const topOf = () => current.getBoundingClientRect().top;
    const isBeside = !side.matches(":popover-open");
    const wanted = (isBeside ? chosenAt(current) : undefined) ?? topOf();
    let placed = side.scrollTop;
    for (const item of branches())
      if (states.get(linkOf(item).href) === false && !item.querySelector("[aria-current]")) show(item, false);
    const keep = (/** @type {number} */ top) => {
      side.scrollTop += topOf() - top;
      placed = side.scrollTop;
    };
    if (states.size > 0) keep(wanted);
    for (let count = 0; count < AT_ONCE; count += 1) {
      const closed = branches().filter((item) => states.get(linkOf(item).href) && !isOpen(item));
      if (closed.length === 0) return;
      const some = closed.slice(0, AT_ONCE);
      const lists = await listsBelow(some);
      const top = side.scrollTop === placed ? wanted : topOf();
      open(some, lists);
      keep(top);
    }
  }

  addButtons();
  side.addEventListener("click", async ({ target }) => {
    const item = target instanceof Element ? target.closest("li > button")?.parentElement : undefined;
    if (!(item instanceof HTMLLIElement)) return;
    if (listOf(item)) show(item, !isOpen(item));
    else {
      try {
        open([item], await listsBelow([item]));
      } catch {
        // Its page shows what is below it.
        return linkOf(item).click();
      }
    }
    remember(item);
  });
  // What nobody sees is not fetched.
  const restored = () => void restore().catch(() => undefined);
  if (side.offsetHeight > 0) restored();
  else side.addEventListener("toggle", restored, { once: true });
}
