// @ts-check
// Sends requests that readers fill in. A token stays in its field: nothing is stored, and nothing is sent but the request.

/** @template {Element} E @param {ParentNode} within @param {string} selector @returns {E[]} */
const all = (within, selector) => /** @type {E[]} */ ([...within.querySelectorAll(selector)]);

/** @type {HTMLInputElement[]} */
const tokens = all(document, "[data-token]");
for (const token of tokens)
  token.addEventListener("input", () => {
    for (const other of tokens) other.value = token.value;
  });

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
    if (place === "path") target = target.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (place === "query") query.append(name, value);
    else headers[name] = value;
  }
  const token = /** @type {HTMLInputElement | null} */ (trial.querySelector("[data-token]"))?.value.trim();
  if (token) headers.authorization = `Bearer ${token}`;
  const body = /** @type {HTMLTextAreaElement | null} */ (trial.querySelector("[data-body]"));
  const withBody = body && method !== "get" && method !== "head" && body.value !== "";
  if (withBody) headers["content-type"] = body.dataset.type ?? "application/json";
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

for (const trial of /** @type {HTMLDetailsElement[]} */ (all(document, "[data-trial]"))) {
  trial.hidden = false;
  const form = /** @type {HTMLFormElement} */ (trial.querySelector("form"));
  const output = /** @type {HTMLElement} */ (trial.querySelector("output"));
  form.addEventListener("submit", async (event) => {
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
}
