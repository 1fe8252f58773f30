import { h, prose } from "./elements.js";

/** Nearly every text has it; it says nothing to a reader. */
const NO_NUL = "^[^\\0]*$";

/** Reads schemas of one OpenAPI document. */
export function createSchemas(document) {
  const nameOf = (schema) => schema?.$ref?.split("/").at(-1);

  function resolve(schema) {
    let at = schema ?? {};
    for (let hops = 0; at.$ref && hops < 20; hops++) {
      const { $ref, ...beside } = at;
      at = {
        ...$ref
          .slice(2)
          .split("/")
          .reduce((node, key) => node?.[key], document),
        ...beside,
      };
    }
    return at.allOf ? at.allOf.map(resolve).reduce(joined, { ...at, allOf: undefined }) : at;
  }

  const joined = (one, other) => ({
    ...one,
    ...other,
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  });

  /** The alternatives without null, and whether null is one of them. */
  function alternatives(schema) {
    const all = schema.oneOf ?? schema.anyOf ?? [];
    const some = all.filter((each) => each.type !== "null");
    return { some, nullable: some.length < all.length || [schema.type].flat().includes("null") };
  }

  function typeOf(schema, depth = 0) {
    const name = nameOf(schema);
    const { some, nullable } = alternatives(schema);
    const or = nullable ? " or null" : "";
    if (name) return name + or;
    if (some.length) return [...new Set(some.map((each) => typeOf(each, depth + 1)))].join(" | ") + or;
    const type = [schema.type]
      .flat()
      .filter((each) => each && each !== "null")
      .join(" | ");
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (type === "array")
      return (depth > 3 ? "list" : `list of ${grouped(typeOf(schema.items ?? {}, depth + 1))}`) + or;
    if (type === "string" && schema.format) return schema.format + or;
    if (type === "object" && !schema.properties && schema.additionalProperties) {
      return `map of ${typeOf(schema.additionalProperties, depth + 1)}${or}`;
    }
    return (type || (schema.enum ? "string" : "any")) + or;
  }

  const grouped = (type) => (type.includes(" | ") ? `(${type})` : type);

  /** What may be opened below a field: the properties of objects, list items, maps and alternatives. */
  function inside(schema) {
    const at = resolve(schema);
    if (at.properties && Object.keys(at.properties).length) return () => properties(at);
    if (at.items) return inside(at.items);
    if (typeof at.additionalProperties === "object") return inside(at.additionalProperties);
    const { some } = alternatives(at);
    if (some.length === 1) return inside(some[0]);
    const open = some.filter((each) => inside(each));
    if (open.length) return () => variants(some);
    return undefined;
  }

  function properties(schema) {
    const at = resolve(schema);
    const rows = Object.entries(at.properties ?? {}).map(([name, property]) =>
      field({ name, schema: property, required: at.required?.includes(name) }),
    );
    return h("ul", { class: "fields" }, rows);
  }

  function variants(schemas) {
    return h(
      "div",
      { class: "variants" },
      schemas.map((each, index) => {
        const content = inside(each);
        const label = `${index ? "or " : ""}${typeOf(each)}`;
        return content ? nested(label, content) : h("p", { class: "type" }, label);
      }),
    );
  }

  /** Drawn when it is opened, so that schemas may contain themselves. */
  function nested(label, content) {
    const body = h("div", { class: "inside" });
    const draw = ({ currentTarget }) => {
      if (currentTarget.open && !body.firstChild) body.append(content());
    };
    return h("details", { class: "nested", ontoggle: draw }, h("summary", null, label), body);
  }

  function field({ name, schema, required, place }) {
    const at = resolve(schema);
    const content = inside(schema);
    return h(
      "li",
      null,
      h(
        "div",
        { class: "field" },
        h("code", null, name),
        h("span", { class: "type" }, typeOf(schema.$ref ? schema : at)),
        place && h("span", { class: "badge" }, place),
        required && h("span", { class: "required" }, "required"),
        (schema.deprecated ?? at.deprecated) && h("span", { class: "badge warning" }, "deprecated"),
      ),
      prose(schema.description ?? at.description),
      limits(at),
      content && nested("Show its fields", content),
    );
  }

  function limits(schema) {
    const notes = [];
    const leaf = schema.type === "array" ? resolve(schema.items) : schema;
    const { some } = alternatives(leaf);
    const values = leaf.enum ?? (some.length === 1 ? resolve(some[0]).enum : undefined);
    if (values)
      notes.push([
        "one of ",
        values.filter((value) => value !== null).flatMap((value) => [h("code", null, String(value)), " "]),
      ]);
    if (schema.default !== undefined)
      notes.push(["default ", h("code", null, JSON.stringify(schema.default))]);
    const range = (low, high, unit) => {
      if (low === undefined && (high === undefined || high >= 9007199254740991)) return;
      notes.push([
        high === undefined || high >= 9007199254740991
          ? `at least ${low}${unit}`
          : `${low ?? 0} to ${high}${unit}`,
      ]);
    };
    if (schema.minimum > -9007199254740991 || schema.maximum < 9007199254740991)
      range(schema.minimum, schema.maximum, "");
    range(schema.minLength, schema.maxLength, " characters");
    range(schema.minItems, schema.maxItems, " items");
    if (schema.pattern && schema.pattern !== NO_NUL)
      notes.push(["pattern ", h("code", null, schema.pattern)]);
    if (notes.length === 0) return undefined;
    return h(
      "div",
      { class: "limits" },
      notes.flatMap((note, index) => (index ? [" · ", ...note.flat()] : note.flat())),
    );
  }

  /** A plausible value, to start a body from. */
  function example(schema, depth = 0) {
    const at = resolve(schema);
    if (at.example !== undefined) return at.example;
    if (at.examples?.length) return at.examples[0];
    if (at.default !== undefined) return at.default;
    if (at.const !== undefined) return at.const;
    if (at.enum) return at.enum[0];
    const { some } = alternatives(at);
    if (some.length) return example(some[0], depth + 1);
    const type = [at.type].flat()[0];
    if (type === "array") return depth > 4 ? [] : [example(at.items, depth + 1)];
    if (type === "object" || at.properties) {
      if (depth > 5) return {};
      const entries = Object.entries(at.properties ?? {});
      return Object.fromEntries(entries.map(([name, property]) => [name, example(property, depth + 1)]));
    }
    if (type === "boolean") return true;
    if (type === "integer" || type === "number") return Math.max(1, at.minimum ?? 1);
    if (at.format === "date-time") return "2026-01-31T12:00:00.000Z";
    if (at.format === "uri") return "https://example.org/";
    return type === "string" ? "text" : null;
  }

  return { resolve, typeOf, nameOf, properties, inside, field, example };
}
