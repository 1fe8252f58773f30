// @ts-check
// Sends requests that readers fill in. A token stays in its field: nothing is stored, and nothing is sent but the request.
// The sample beside a form is the request that the form sends.

/** @template {Element} E @param {ParentNode} within @param {string} selector @returns {E[]} */
const all = (within, selector) => /** @type {E[]} */ ([...within.querySelectorAll(selector)]);

/** One token is for all forms of a page. @param {string} value */
function spread(value) {
  for (const token of /** @type {HTMLInputElement[]} */ (all(document, "[data-token]"))) token.value = value;
}

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** The request that a form describes. @param {HTMLElement} trial @returns {{ url: string, init: RequestInit }} */
function requestOf(trial) {
  const { method = "get", path = "", server = "" } = trial.dataset;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  let target = path;
  for (const field of /** @type {Field[]} */ (all(trial, "[data-in]"))) {
    const { in: place, name = "" } = field.dataset;
    const { value } = field;
    if (value === "") continue;
    if (place === "path") target = target.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (place === "query") query.append(name, value);
    else headers[name] = value;
  }
  const token = /** @type {HTMLInputElement | null} */ (trial.querySelector("[data-token]"))?.value.trim();
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = /** @type {HTMLTextAreaElement | null} */ (trial.querySelector("[data-body]"));
  const withBody = body && method !== "get" && method !== "head" && body.value !== "";
  if (withBody) headers["Content-Type"] = body.dataset.type ?? "application/json";
  const url = server.replace(/\/+$/, "") + target + (query.size > 0 ? `?${query}` : "");
  const init = { method: method.toUpperCase(), headers, ...(withBody && { body: body.value }) };
  return { url, init: { ...init, credentials: /** @type {const} */ ("omit") } };
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 200_000);
  }
}

/** @param {HTMLElement} output @param {string} status @param {string} text */
function show(output, status, text) {
  const head = document.createElement("b");
  head.textContent = status;
  const body = document.createElement("pre");
  body.tabIndex = 0;
  body.textContent = text;
  output.replaceChildren(head, body);
}

/** A request as a line for curl, which holds no token. @param {ReturnType<typeof requestOf>} request */
function sampleOf({ url, init: { method = "GET", headers, body } }) {
  /** @param {string} text */
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`];
  for (const [name, value] of Object.entries(/** @type {Record<string, string>} */ (headers)))
    lines.push(
      name === "Authorization"
        ? `  -H "Authorization: Bearer $TOKEN"`
        : `  -H ${quoted(`${name}: ${value}`)}`,
    );
  if (typeof body === "string") lines.push(`  -d ${quoted(body)}`);
  return lines.join(" \\\n");
}

/** Shows the forms of a part of the page, with the token that others have already. @param {ParentNode} within */
export function setUp(within) {
  for (const trial of /** @type {HTMLDetailsElement[]} */ (all(within, "[data-trial]"))) trial.hidden = false;
  const tokens = /** @type {HTMLInputElement[]} */ (all(document, "[data-token]"));
  const known = tokens.find(({ value }) => value !== "");
  if (known) spread(known.value);
}
setUp(document);

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target instanceof HTMLInputElement && target.matches("[data-token]")) spread(target.value);
  const trial = /** @type {HTMLElement | null} */ (target.closest("[data-trial]"));
  const sample = trial?.parentElement?.querySelector("[data-sample]");
  if (trial && sample) sample.textContent = sampleOf(requestOf(trial));
});

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const trial = /** @type {HTMLElement | null} */ (form.closest("[data-trial]"));
  const output = /** @type {HTMLElement | null | undefined} */ (trial?.querySelector("output"));
  if (!trial || !output) return;
  event.preventDefault();
  const { url, init } = requestOf(trial);
  const began = performance.now();
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    const ms = Math.round(performance.now() - began);
    show(output, `${response.status} ${response.statusText} · ${ms} ms`, pretty(text));
  } catch (error) {
    show(output, String(error), url);
  }
});
