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

/** What is typed into the fields of a form, and the files that were chosen. @param {HTMLElement} trial */
function valuesOf(trial) {
  return /** @type {Field[]} */ (all(trial, "[data-in]")).flatMap((field) => {
    const { in: place, name = "" } = field.dataset;
    /** @type {(string | File)[]} */
    const values = field instanceof HTMLInputElement && field.files ? [...field.files] : [field.value];
    return values.filter((value) => value !== "").map((value) => ({ place, name, value }));
  });
}

/** The request that a form describes. @param {HTMLElement} trial @returns {{ url: string, init: RequestInit }} */
function requestOf(trial) {
  const { method = "get", path = "", server = "", form } = trial.dataset;
  const query = new URLSearchParams();
  const fields = form === "multipart/form-data" ? new FormData() : new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  let target = path;
  for (const { place, name, value } of valuesOf(trial)) {
    if (place === "form") fields.append(name, /** @type {string} */ (value));
    else if (place === "path") target = target.replaceAll(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === "query") query.append(name, String(value));
    else headers[name] = String(value);
  }
  const token = /** @type {HTMLInputElement | null} */ (trial.querySelector("[data-token]"))?.value.trim();
  if (token) headers.Authorization = `Bearer ${token}`;
  const text = /** @type {HTMLTextAreaElement | null} */ (trial.querySelector("[data-body]"));
  // The browser writes the media type of a form: it has to name the boundary of its parts.
  const body = method === "get" || method === "head" ? undefined : form ? fields : text?.value || undefined;
  if (text && body) headers["Content-Type"] = text.dataset.type ?? "application/json";
  const url = server.replace(/\/+$/, "") + target + (query.size > 0 ? `?${query}` : "");
  return { url, init: { method: method.toUpperCase(), headers, body, credentials: "omit" } };
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
  else if (body instanceof URLSearchParams)
    for (const [name, value] of body)
      lines.push(`  --data-urlencode ${quoted(`${encodeURIComponent(name)}=${value}`)}`);
  else if (body instanceof FormData)
    for (const [name, value] of body)
      lines.push(
        typeof value === "string"
          ? `  ${/^[@<]|;/.test(value) ? "--form-string" : "-F"} ${quoted(`${name}=${value}`)}`
          : `  -F ${quoted(`${name}=@${value.name}`)}`,
      );
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
