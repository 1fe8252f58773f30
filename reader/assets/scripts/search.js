// @ts-check
// Search while typing: the form of the header becomes a dialog, whose list the server writes.

import { words } from "./page.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".bar [data-search]"));
if (form) setUp(form);

/** @param {HTMLFormElement} form */
function setUp(form) {
  const outer = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
  const inner = /** @type {HTMLFormElement} */ (form.cloneNode(true));
  const field = /** @type {HTMLInputElement} */ (inner.elements.namedItem("q"));
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", outer.getAttribute("aria-label") ?? "");
  const list = document.createElement("div");
  list.className = "list";
  list.hidden = true;
  list.id = "~found";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", dialog.getAttribute("aria-label") ?? "");
  const status = document.createElement("p");
  status.className = "hidden";
  status.setAttribute("role", "status");
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-controls": list.id,
    "aria-expanded": "false",
    "aria-autocomplete": "list",
  }))
    field.setAttribute(name, value);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.textContent = "×";
  close.setAttribute("aria-label", words.close ?? "");
  close.addEventListener("click", () => dialog.close());
  inner.append(close);
  dialog.append(inner, list, status);
  document.body.append(dialog);

  /** @type {HTMLAnchorElement[]} */
  let options = [];
  let at = -1;
  /** What the options were found for. */
  let shown = "";
  let asking = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;

  function open() {
    if (dialog.open) return;
    field.value = outer.value;
    dialog.showModal();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    if (field.value !== "") ask();
  }

  /** @param {number} to */
  function choose(to) {
    options[at]?.setAttribute("aria-selected", "false");
    at = options.length === 0 ? -1 : (to + options.length) % options.length;
    const option = options[at];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  }

  async function ask() {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const url = new URL(inner.action);
    for (const [name, value] of new FormData(inner)) url.searchParams.set(name, String(value));
    const { value } = field;
    dialog.removeAttribute("aria-busy");
    if (value.trim() === "") return show("", value);
    url.searchParams.set("part", "1");
    dialog.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(url, { signal });
      if (response.ok) show(await response.text(), value);
    } catch {
      // Somebody typed on, or is offline: what is shown stays.
    }
    if (!signal.aborted) dialog.removeAttribute("aria-busy");
  }

  /** Written by our server, which escapes what pages say; the policy lets nothing in it run. @param {string} html @param {string} query */
  function show(html, query) {
    shown = query;
    list.innerHTML = html;
    const said = list.querySelector("output");
    said?.remove();
    options = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (list.querySelectorAll("[role=option]"))];
    for (const [index, option] of options.entries()) option.id = `~found-${index}`;
    field.setAttribute("aria-expanded", String(options.length > 0));
    list.hidden = options.length === 0;
    list.scrollTop = 0;
    status.textContent = said?.textContent ?? "";
    status.classList.toggle("hidden", !said || options.length > 0);
    at = -1;
    choose(0);
  }

  inner.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(ask, 80);
  });
  field.addEventListener("keydown", (event) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      choose(to);
    } else if (event.key === "Enter" && shown === field.value && !event.isComposing) {
      // Before there are results for what is typed, the form leads to their page.
      const option = options[at];
      if (!option) return;
      event.preventDefault();
      option.click();
    }
  });
  list.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  // Not when it is touched: the click that follows would be one beside the dialog, which closes it.
  outer.addEventListener("click", open);
  outer.addEventListener("input", open);
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!slash && !k) return;
    event.preventDefault();
    open();
  });
}
