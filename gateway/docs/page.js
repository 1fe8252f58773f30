import { h } from "./elements.js";
import { drawOperation, sentence } from "./operation.js";
import { drawOverview } from "./overview.js";
import { createSchemas } from "./schema.js";

const METHODS = ["get", "post", "patch", "put", "delete"];
const navigation = document.getElementById("navigation");
const main = document.getElementById("main");
const search = document.getElementById("search");
const menu = document.getElementById("menu");

// A token stays in its field: what is stored could be read by every page of this origin. An earlier version stored it.
sessionStorage.removeItem("token");
menu.addEventListener("click", () => setMenu(!navigation.classList.contains("open")));

try {
  const answer = await fetch("/v1/openapi.json");
  const document_ = await answer.json();
  if (!answer.ok) throw new Error(document_.error?.message ?? answer.statusText);
  start(document_);
} catch (error) {
  main.replaceChildren(
    h("h1", null, "The reference is not available"),
    h("p", null, String(error.message ?? error)),
  );
}

function start(description) {
  const schemas = createSchemas(description);
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ ...item[method], method, path })),
  );
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const tags = new Map(description.tags.map(({ name }) => [name, []]));
  for (const operation of operations) tags.get(operation.tags?.[0] ?? "other")?.push(operation);
  document.getElementById("version").textContent = description.info.version;

  const links = new Map();
  for (const [tag, own] of tags) {
    if (own.length === 0) continue;
    const entries = own.map((operation) => {
      const { method, operationId, summary } = operation;
      const link = h(
        "a",
        { href: `#${operationId}`, title: `${method.toUpperCase()} /v1${operation.path}` },
        h("span", { class: `verb ${method}` }, method === "delete" ? "DEL" : method.toUpperCase()),
        h("span", null, summary ?? sentence(operationId)),
      );
      links.set(operationId, { link, words: wordsOf(tag, operation) });
      return link;
    });
    navigation.append(
      h("details", null, h("summary", null, sentence(tag), h("span", null, String(own.length))), entries),
    );
  }

  function draw() {
    const operation = byId.get(decodeURIComponent(location.hash.slice(1)));
    main.replaceChildren(operation ? drawOperation(operation, schemas) : drawOverview(description, tags));
    const title = operation ? (operation.summary ?? sentence(operation.operationId)) : "API reference";
    document.title = `${title} · Octavo`;
    for (const { link } of links.values()) link.removeAttribute("aria-current");
    const current = links.get(operation?.operationId)?.link;
    current?.setAttribute("aria-current", "page");
    if (current) current.parentElement.open = true;
    current?.scrollIntoView({ block: "nearest" });
    setMenu(false);
    scrollTo(0, 0);
  }

  function filter() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { link, words } of links.values()) link.hidden = !wanted.every((word) => words.includes(word));
    for (const group of navigation.children) {
      const found = [...group.querySelectorAll("a")].some((link) => !link.hidden);
      group.hidden = !found;
      if (wanted.length) group.open = found;
    }
  }

  search.addEventListener("input", filter);
  search.addEventListener("keydown", ({ key }) => {
    const first = navigation.querySelector("details:not([hidden]) a:not([hidden])");
    if (key === "Enter" && first) location.hash = first.hash;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
  addEventListener("hashchange", draw);
  draw();
}

function wordsOf(tag, { method, path, operationId, summary = "" }) {
  return `${tag} ${method} ${path} ${operationId} ${sentence(operationId)} ${summary}`.toLowerCase();
}

function setMenu(open) {
  navigation.classList.toggle("open", open);
  menu.setAttribute("aria-expanded", String(open));
}
