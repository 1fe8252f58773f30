// @ts-check
// The reference without leaving it: operations are opened in their place, so that a token that was typed is kept, which is
// stored nowhere. Without scripts every operation is a page of its own.

import { setUp } from "./try.js";

/** @template {Element} E @param {string} selector @returns {E} */
const one = (selector) => /** @type {E} */ (document.querySelector(selector));
/** @type {HTMLInputElement} */
const search = one("#search");
/** @type {HTMLButtonElement} */
const menu = one("#menu");

// An earlier version stored it.
sessionStorage.removeItem("token");
for (const hidden of document.querySelectorAll(".bar [hidden]")) hidden.removeAttribute("hidden");
// Earlier addresses named operations by their fragments.
const id = /^#([\w-]+)$/.exec(location.hash)?.[1];
if (id && id !== "main" && location.pathname.replace(/\/$/, "") === "/docs") location.replace(`/docs/${id}`);

/** @param {boolean} open */
function setMenu(open) {
  one("#navigation").classList.toggle("open", open);
  menu.setAttribute("aria-expanded", String(open));
}
menu.addEventListener("click", () => setMenu(!one("#navigation").classList.contains("open")));

/** Puts the page at an address in the place of this one. @param {string} address */
async function open(address) {
  const response = await fetch(address).catch(() => undefined);
  if (!response?.ok) return location.assign(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const selector of ["#navigation", "#main"]) {
    const next = page.querySelector(selector);
    if (next) one(selector).replaceWith(next);
  }
  document.title = page.title;
  setUp(document);
  setMenu(false);
  find();
  scrollTo(0, 0);
  showCurrent();
}

function showCurrent() {
  const current = document.querySelector("#navigation [aria-current]");
  if (current) one("#navigation").scrollTop += current.getBoundingClientRect().top - innerHeight / 2;
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || !/^\/docs(?:\/[\w-]*)?$/.test(link.pathname) || link.hash) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, "", link.href);
  void open(link.href);
});
addEventListener("popstate", () => void open(location.href));

/** @typedef {{ id: string, method: string, path: string, title: string, tag: string }} Operation */
/** @type {Promise<Operation[]> | undefined} */
let all;
const MOST = 60;

/** Lists the operations that have all words of the search, in the place of the groups. */
async function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  all ??= fetch("/docs/operations.json").then((response) => response.json());
  const operations = words.length > 0 ? await all : [];
  const found = operations.filter(({ id, method, path, title, tag }) => {
    const text = `${id} ${method} /v1${path} ${title} ${tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const list = one("#found");
  list.replaceChildren(...found.slice(0, MOST).map(entry));
  list.toggleAttribute("hidden", words.length === 0);
  one("#navigation").classList.toggle("searching", words.length > 0);
}

/** @param {Operation} operation */
function entry({ id, method, path, title }) {
  const [item, link, verb, name] = ["li", "a", "span", "span"].map((tag) => document.createElement(tag));
  if (!(link instanceof HTMLAnchorElement) || !item || !verb || !name) throw new Error("unreachable");
  link.href = `/docs/${id}`;
  link.title = `${method.toUpperCase()} /v1${path}`;
  verb.className = `verb ${method}`;
  verb.textContent = method === "delete" ? "DEL" : method.toUpperCase();
  name.textContent = title;
  link.append(verb, name);
  item.append(link);
  return item;
}

search.addEventListener("input", () => void find());
search.addEventListener("keydown", ({ key }) => {
  const first = document.querySelector("#found a");
  if (key === "Enter" && first instanceof HTMLElement) first.click();
});
document.addEventListener("keydown", (event) => {
  if (
    event.key !== "/" ||
    (event.target instanceof Element && event.target.matches("input, textarea, select"))
  )
    return;
  event.preventDefault();
  search.focus();
});
showCurrent();
