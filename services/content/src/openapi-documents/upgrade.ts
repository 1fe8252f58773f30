import { upgrade } from "@scalar/openapi-upgrader";
import { entriesOf, fieldOf, isObject, type Json, type JsonObject } from "./json.js";
import { reject } from "./problem.js";
import { targetOf } from "./references.js";

/** A document of version 2.0 as one of version 3.0; any other as it is. Changes what it is given. */
export function asVersion3(document: JsonObject): JsonObject {
  if (document.swagger !== "2.0") return document;
  inlineBodies(document);
  try {
    const upgraded = upgrade(document, "3.0") as JsonObject;
    mend(upgraded);
    return upgraded;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return reject("v2-conversion", "The document can not be converted to version 3");
  }
}

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);
const isBody = (parameter: Json) => ["body", "formData"].includes(String(fieldOf(parameter, "in")));

/** Writes bodies out at the operations that take them: in version 3 they are no parameters, and stand at no path. */
function inlineBodies(document: JsonObject): void {
  const resolved = (parameter: Json): Json => {
    const to = fieldOf(parameter, "$ref");
    const target = typeof to === "string" ? targetOf(document, to) : undefined;
    return target !== undefined && isBody(target) ? structuredClone(target) : parameter;
  };
  const parametersOf = (value: JsonObject) =>
    Array.isArray(value.parameters) ? value.parameters.map(resolved) : [];
  for (const [, item] of entriesOf(document, "paths")) {
    if (!isObject(item)) continue;
    const shared = parametersOf(item);
    const bodies = shared.filter(isBody);
    if (Array.isArray(item.parameters)) item.parameters = shared.filter((parameter) => !isBody(parameter));
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.has(method) || !isObject(operation)) continue;
      const own = parametersOf(operation);
      const inherited = bodies.filter(
        (body) => !own.some((one) => fieldOf(one, "name") === fieldOf(body, "name")),
      );
      const all = [...own, ...(own.some(isWholeBody) ? [] : structuredClone(inherited))];
      if (all.length > 0 || operation.parameters) operation.parameters = all;
    }
  }
}

const isWholeBody = (parameter: Json) => fieldOf(parameter, "in") === "body";

/** What holds data and no schema. */
const DATA = new Set(["example", "examples", "default", "enum"]);

/** Writes what version 2 says of schemas as version 3 says it. */
function mend(value: Json): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) mend(one);
    return;
  }
  const { discriminator, "x-nullable": nullable } = value;
  if (typeof discriminator === "string") value.discriminator = { propertyName: discriminator };
  // No field of a form is required.
  if (Array.isArray(value.required) && value.required.length === 0) delete value.required;
  if (nullable === true) {
    value.nullable = true;
    delete value["x-nullable"];
  }
  for (const [name, inner] of Object.entries(value)) if (!DATA.has(name)) mend(inner);
}
