import { h } from "./elements.js";

/** A form that sends the operation with the page's token, and the same as a curl line. */
export function createTrial(operation, schemas) {
  const { method, path, parameters, body } = operation;
  const inputs = parameters.map((parameter) => ({ parameter, input: inputOf(parameter, schemas) }));
  const text = body && h("textarea", { spellcheck: "false", "aria-label": "Body" });
  if (text) text.value = JSON.stringify(schemas.example(body), null, 2);
  const send = h("button", { class: "send", type: "submit" }, "Send");
  const curl = h("pre");
  const result = h("div");
  const rows = (wanted) =>
    inputs
      .filter(({ parameter }) => (parameter.in === "path" || parameter.required === true) === wanted)
      .map(({ parameter, input }) => h("label", null, parameter.name, input));
  const optional = rows(false);

  const form = h(
    "form",
    { class: "try", onsubmit: submit, oninput: drawCurl },
    h("p", { class: "hint" }, "Sent from this page with the token above."),
    rows(true),
    optional.length > 0 &&
      h("details", null, h("summary", null, `${optional.length} optional parameters`), optional),
    text && h("label", { class: "hidden" }, "Body"),
    text,
    send,
  );
  document.getElementById("token").addEventListener("input", drawCurl);
  drawCurl();
  return h("div", null, form, panel("curl", curl), result);

  function target() {
    let address = `/v1${path}`;
    const query = new URLSearchParams();
    for (const { parameter, input } of inputs) {
      if (parameter.in === "path") {
        const value = input.value ? encodeURIComponent(input.value) : `{${parameter.name}}`;
        address = address.replace(`{${parameter.name}}`, value);
      } else if (parameter.in === "query" && input.value !== "") query.append(parameter.name, input.value);
    }
    return query.size ? `${address}?${query}` : address;
  }

  function drawCurl() {
    const quote = (word) => `'${word.replaceAll("'", `'\\''`)}'`;
    const lines = [`curl ${quote(location.origin + target())}`];
    if (method !== "get") lines[0] = lines[0].replace("curl ", `curl -X ${method.toUpperCase()} `);
    lines.push(`  -H "Authorization: Bearer $OCTAVO_TOKEN"`);
    if (text) lines.push("  -H 'Content-Type: application/json'", `  -d ${quote(text.value)}`);
    curl.textContent = lines.join(" \\\n");
  }

  async function submit(event) {
    event.preventDefault();
    const token = document.getElementById("token").value.trim();
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text && { "content-type": "application/json" }),
    };
    send.disabled = true;
    const began = performance.now();
    try {
      const answer = await fetch(target(), { method: method.toUpperCase(), headers, body: text?.value });
      show(answer.status, answer.ok, await answer.text(), performance.now() - began, answer.headers);
    } catch (error) {
      show("failed", false, String(error), performance.now() - began);
    }
    send.disabled = false;
  }

  function show(status, ok, body, ms, headers) {
    const output = h("pre", null, pretty(body) || "(no body)");
    const details = [
      h("b", { class: ok ? "ok" : "failed" }, String(status)),
      h("span", null, `${Math.round(ms)} ms`),
    ];
    const id = headers?.get("x-request-id");
    if (id) details.push(h("span", null, id));
    result.replaceChildren(panel(details, output));
    result.scrollIntoView({ block: "nearest" });
  }
}

function inputOf({ name, schema = {} }, schemas) {
  const at = schemas.resolve(schema);
  const values = at.enum ?? (at.type === "boolean" ? ["true", "false"] : undefined);
  if (!values)
    return h("input", {
      name,
      placeholder: schemas.typeOf(schema),
      spellcheck: "false",
      autocomplete: "off",
    });
  return h(
    "select",
    { name },
    ["", ...values].map((value) => h("option", { value }, String(value))),
  );
}

function panel(title, output) {
  const copy = async ({ currentTarget: button }) => {
    await navigator.clipboard.writeText(output.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1200);
  };
  const button = h("button", { type: "button", onclick: copy }, "Copy");
  return h("section", { class: "panel" }, h("header", null, title, button), output);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 200_000);
  }
}
