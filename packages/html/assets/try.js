// @ts-check
// Sends requests that readers fill in. A secret stays in its field: nothing is stored, and nothing is sent but the request.
// The sample beside a form is the request that the form sends.

/** @template {Element} E @param {ParentNode} within @param {string} selector @returns {E[]} */
const all = (within, selector) => /** @type {E[]} */ ([...within.querySelectorAll(selector)]);

/** A token is for all forms that ask for the same; returns its fields. @param {HTMLInputElement} token */
function spread({ value, dataset }) {
  const fields = /** @type {HTMLInputElement[]} */ (all(document, "[data-token]"));
  const same = fields.filter((field) => field.dataset.token === dataset.token);
  for (const field of same) field.value = value;
  return same;
}

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** What is typed into the fields of a form, and the files that were chosen. @param {HTMLElement} trial */
function valuesOf(trial) {
  return /** @type {Field[]} */ (all(trial, "[data-in]")).flatMap((field) => {
    const { in: place, name = "", kind, variables } = field.dataset;
    const text = variables ? field.value.trim() : field.value;
    /** @type {(string | File)[]} */
    const values = field instanceof HTMLInputElement && field.files ? [...field.files] : [text];
    return values
      .filter((value) => value !== "")
      .map((value) => ({ place, name, value: /** @type {string} */ (value), kind, variables }));
  });
}

/** @typedef {ReturnType<typeof valuesOf>} Values */

/** The request that a form describes. @param {HTMLElement} trial @param {Values} values */
function requestOf(trial, values) {
  const { method = "get", path = "", server = "", form } = trial.dataset;
  const query = new URLSearchParams();
  const fields = form === "multipart/form-data" ? new FormData() : new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  let target = path;
  for (const { place, name, value, kind } of values) {
    if (place === "form") fields.append(name, value);
    else if (place === "path") target = target.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (place === "query") query.append(name, value);
    // No page can send cookies of another site.
    else if (place === "cookie") continue;
    else if (kind === "bearer") headers[name] = `Bearer ${value}`;
    else if (kind === "basic")
      headers[name] = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`;
    else headers[name] = value;
  }
  const text = /** @type {HTMLTextAreaElement | null} */ (trial.querySelector("[data-body]"));
  // The browser writes the media type of a form: it has to name the boundary of its parts.
  const body = method === "get" || method === "head" ? undefined : form ? fields : text?.value || undefined;
  if (text && body) headers["Content-Type"] = text.dataset.type ?? "application/json";
  const url = server.replace(/\/+$/, "") + target + (query.size > 0 ? `?${query}` : "");
  return { url, method: method.toUpperCase(), headers, body };
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

/** The request of a form as a line for curl, in which variables stand for what is secret. @param {HTMLElement} trial */
function sampleOf(trial) {
  const values = valuesOf(trial);
  const secrets = values.filter(({ variables }) => variables);
  const open = values.filter(({ variables }) => !variables);
  const { url, method, headers, body } = requestOf(trial, open);
  /** @param {string} text */
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const address = secrets
    .filter(({ place }) => place === "query")
    .map(({ name, variables }, at) => {
      const sign = at > 0 || url.includes("?") ? "&" : "?";
      return `${quoted(`${at > 0 ? "" : url}${sign}${name}=`)}"${variables}"`;
    });
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${address.join("") || quoted(url)}`];
  for (const { place, name, kind, variables } of secrets)
    if (place === "cookie") lines.push(`-b "${name}=${variables}"`);
    else if (kind === "basic") lines.push(`-u "${variables}"`);
    else if (place === "header")
      lines.push(`-H "${name}: ${kind === "bearer" ? "Bearer " : ""}${variables}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (typeof body === "string") lines.push(`-d ${quoted(body)}`);
  else if (body instanceof URLSearchParams)
    for (const [name, value] of body)
      lines.push(`--data-urlencode ${quoted(`${encodeURIComponent(name)}=${value}`)}`);
  else
    for (const [name, value] of body ?? [])
      lines.push(
        typeof value === "string"
          ? `${/^[@<]|;/.test(value) ? "--form-string" : "-F"} ${quoted(`${name}=${value}`)}`
          : `-F ${quoted(`${name}=@${value.name}`)}`,
      );
  return lines.join(" \\\n  ");
}

/** Shows the request of the form that a field belongs to. @param {HTMLElement} field */
function showSample(field) {
  const trial = /** @type {HTMLElement | null} */ (field.closest("[data-trial]"));
  const sample = trial?.parentElement?.querySelector("[data-sample]");
  if (trial && sample) sample.textContent = sampleOf(trial);
}

/** Shows the forms of a part of the page, with the token that others have already. @param {ParentNode} within */
export function setUp(within) {
  for (const trial of /** @type {HTMLDetailsElement[]} */ (all(within, "[data-trial]"))) trial.hidden = false;
  const tokens = /** @type {HTMLInputElement[]} */ (all(document, "[data-token]"));
  for (const token of tokens) if (token.value !== "") spread(token);
}
setUp(document);

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const isToken = target instanceof HTMLInputElement && target.matches("[data-token]");
  for (const field of isToken ? spread(target) : [target]) showSample(field);
});

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const trial = /** @type {HTMLElement | null} */ (form.closest("[data-trial]"));
  const output = /** @type {HTMLElement | null | undefined} */ (trial?.querySelector("output"));
  if (!trial || !output) return;
  event.preventDefault();
  const { url, ...init } = requestOf(trial, valuesOf(trial));
  const began = performance.now();
  try {
    const response = await fetch(url, { ...init, credentials: "omit" });
    const text = await response.text();
    const ms = Math.round(performance.now() - began);
    show(output, `${response.status} ${response.statusText} · ${ms} ms`, pretty(text));
  } catch (error) {
    show(output, String(error), url);
  }
});
