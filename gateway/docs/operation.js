import { h, inline, prose } from "./elements.js";
import { createTrial } from "./trial.js";

const JSON_TYPE = "application/json";

/** One operation: what it takes and answers on the left, a trial of it on the right. */
export function drawOperation(operation, schemas) {
  const { method, path, summary, description, operationId, deprecated } = operation;
  const parameters = (operation.parameters ?? []).map(schemas.resolve);
  const body = schemas.resolve(operation.requestBody)?.content?.[JSON_TYPE]?.schema;
  const title = summary ?? sentence(operationId);
  const of = (place) => parameters.filter((parameter) => parameter.in === place);
  return h(
    "article",
    { class: "operation" },
    h(
      "div",
      null,
      h("h1", null, title, deprecated && h("span", { class: "badge warning" }, "deprecated")),
      h(
        "div",
        { class: "address" },
        h("b", { class: method }, method.toUpperCase()),
        h("span", null, address(path)),
      ),
      prose(description),
      section("Path", of("path"), schemas),
      section("Query", of("query"), schemas),
      body && [h("h3", null, "Body"), named(body, schemas), content(body, schemas)],
      h("h3", null, "Answers"),
      answers(operation, schemas),
    ),
    h("aside", { class: "aside" }, createTrial({ ...operation, parameters, body }, schemas)),
  );
}

/** `getSpaceById` and `spaces-getById` as words. */
export function sentence(id = "") {
  const words = id
    .replace(/[-_.]/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function address(path) {
  return `/v1${path}`.split(/(\{[^}]+\})/).map((part) => (part.startsWith("{") ? h("i", null, part) : part));
}

function section(title, parameters, schemas) {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(({ name, schema = {}, required, description }) =>
    schemas.field({ name, schema: description ? { ...schema, description } : schema, required }),
  );
  return [h("h3", null, title), h("ul", { class: "fields" }, rows)];
}

const named = (schema, schemas) => h("p", { class: "type" }, schemas.typeOf(schema));

function content(schema, schemas) {
  return schemas.inside(schema)?.() ?? h("p", { class: "quiet" }, schemas.typeOf(schema));
}

function answers(operation, schemas) {
  return Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const at = schemas.resolve(response);
    const schema = at.content?.[JSON_TYPE]?.schema;
    const good = status.startsWith("2");
    const body = h("div", { class: "inside" });
    const draw = () => {
      if (schema && !body.firstChild) body.append(named(schema, schemas), content(schema, schemas));
    };
    if (good) draw();
    const label = [h("b", { class: good ? "good" : "bad" }, status), inline(at.description)];
    return h(
      "details",
      { class: "answer", open: good && schema, ontoggle: draw },
      h("summary", null, label),
      body,
    );
  });
}
