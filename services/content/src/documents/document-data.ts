/** What is wrong with a value, as what it must be; undefined when nothing is. */
type Check = (value: unknown) => string | undefined;

type Shape = Record<string, unknown>;

/** Returns whether a value is an object that is no array. */
export const isShape = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown) => typeof value === "string";
const text: Check = (value) => (isText(value) ? undefined : "must be a text");
const number: Check = (value) => (Number.isFinite(value) ? undefined : "must be a number");
const boolean: Check = (value) => (typeof value === "boolean" ? undefined : "must be true or false");
/** Attributes of tags may hold other words than `true` and `false`, and those stay. */
const option: Check = (value) =>
  typeof value === "boolean" || isText(value) ? undefined : "must be true or false";
const texts: Check = (value) =>
  Array.isArray(value) && value.every(isText) ? undefined : "must be a list of texts";
const shape: Check = (value) => (isShape(value) ? undefined : "must be an object");
const length: Check = (value) => {
  const unit = isShape(value) && isText(value.unit) && Number.isFinite(value.value);
  return unit || isText(value) || Number.isFinite(value)
    ? undefined
    : "must be a number of pixels, or an object with unit and value";
};
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `must be ${values.join(" or ")}`;
const matching =
  (pattern: RegExp, what: string): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? undefined : `must be ${what}`;
const whole: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : "must be a whole number";

/** What else a reference of a kind names; the first one has to be there. */
const REFS: Record<string, string[]> = {
  file: ["file", "space"],
  url: ["url"],
  page: ["page", "space"],
  anchor: ["anchor", "page", "space"],
  user: ["user"],
  collection: ["collection"],
  space: ["space"],
  "reusable-content": ["reusableContent", "space"],
  openapi: ["spec"],
  tag: ["tag", "space"],
};

/** A reference to content, of any kind or of the named ones. */
const ref: Check = (value) => {
  if (!isShape(value)) return "must be a reference to content";
  const fields = Object.hasOwn(REFS, String(value.kind)) ? REFS[String(value.kind)]! : undefined;
  if (!fields) return `must be a reference of a kind: ${Object.keys(REFS).join(", ")}`;
  const wrong = fields.find((field, index) =>
    value[field] === undefined ? index === 0 : !isText(value[field]),
  );
  return wrong && `must be a reference with a text in ${wrong}`;
};

const tagRefs: Check = (value) =>
  Array.isArray(value) && value.every((one) => ref(one) === undefined && (one as Shape).kind === "tag")
    ? undefined
    : "must be a list of references to tags";

const COLORS = ["default", "green", "blue", "red", "orange", "yellow", "purple"];
const color = oneOf(...COLORS, "$primary", "$tint", "$info", "$success", "$warning", "$danger");

const align = oneOf("start", "center", "end");
const heading = { align, id: matching(/^[-a-z0-9.+_]+$/, "an anchor such as `first-steps`"), level: whole };
const operation = { path: text, method: text, body: text, expanded: option, fullWidth: option };
const image = { "ref!": ref, refDark: ref, alt: text };
const size = { width: length, height: length };

/** What `data` of blocks, inlines and marks holds; with `!` it has to be there. What is not named is left alone. */
const DATA: Record<string, Record<string, Check>> = {
  paragraph: { align },
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": { start: whole },
  "list-item": { checked: boolean },
  hint: { style: oneOf("info", "warning", "danger", "success") },
  if: { "expression!": text },
  images: { align: oneOf("center", "left", "right"), fullWidth: option, withFrame: option },
  image: { ...image, ...size },
  file: { "ref!": ref },
  drawing: { ref, ...size },
  embed: { "url!": text, fullWidth: option },
  code: { syntax: text, info: text, title: text, overflow: text, lineNumbers: option, fullWidth: option },
  "code-line": { highlighted: boolean },
  math: { "formula!": text },
  tabs: { fullWidth: option },
  "tabs-item": { title: text },
  swagger: { "ref!": ref, ...operation },
  "openapi-operation": { "ref!": ref, ...operation },
  "openapi-schemas": { "ref!": ref, schemas: texts, grouped: option, body: text },
  "openapi-webhook": { "ref!": ref, name: text, method: text, body: text },
  "content-ref": { "ref!": ref },
  integration: { "integration!": text, "block!": text, props: shape, url: text, fullWidth: option },
  "reusable-content": { "ref!": ref },
  "stepper-step": { icon: text },
  columns: { fullWidth: option },
  column: { width: length, verticalAlignment: text },
  updates: { format: text },
  update: { date: text, tags: tagRefs },
  prompt: { description: text, icon: text, openInAIProviders: option, defaultExpanded: option },
  link: { "ref!": ref },
  emoji: { "code!": matching(/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/, "code points such as `1f3e0`") },
  icon: { "icon!": matching(/^[a-z0-9-]+$/, "an icon name such as `gear`") },
  expression: { "expression!": text },
  "inline-math": { "formula!": text },
  "inline-image": { ...image, caption: text, size: oneOf("original", "line") },
  mention: { "ref!": ref },
  button: { "label!": text, "kind!": oneOf("primary", "secondary"), icon: text, ref },
  color: { text: color, background: color },
};

export interface Problem {
  path: PropertyKey[];
  message: string;
}

/** What is wrong with the `data` of a block, inline or mark of a type. */
export function problemsInData(type: string, data: unknown): Problem[] {
  const fields = Object.entries(DATA[type] ?? {});
  if (data !== undefined && !isShape(data)) return [{ path: [], message: "must be an object" }];
  const problems = check(fields, data ?? {});
  return type === "table" ? [...problems, ...problemsInTable(data ?? {})] : problems;
}

function check(fields: [string, Check][], data: Shape): Problem[] {
  return fields.flatMap(([name, check]) => {
    const field = name.replace("!", "");
    const value = data[field];
    if (value === undefined) return name === field ? [] : [{ path: [field], message: "is missing" }];
    const message = check(value);
    return message ? [{ path: [field], message }] : [];
  });
}

const VIEW: [string, Check][] = Object.entries({
  "type!": oneOf("grid", "cards"),
  columns: texts,
  columnWidths: shape,
  hideHeader: boolean,
  useNewSizing: boolean,
  cardSize: oneOf("medium", "large"),
  targetDefinition: text,
  coverDefinition: text,
  coverDefinitionDark: text,
  hideColumnTitle: boolean,
});
const DEFINITION: [string, Check][] = Object.entries({
  "id!": text,
  "title!": text,
  "type!": oneOf("text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image"),
  textAlignment: oneOf("center", "right", "left"),
  verticalAlignment: text,
  max: number,
  multiple: boolean,
  options: (value) =>
    Array.isArray(value) && value.every((one) => isShape(one) && isText(one.value) && isText(one.label))
      ? undefined
      : "must be a list of options with value and label",
});
const RECORD: [string, Check][] = Object.entries({ "orderIndex!": text, "values!": shape });

const TABLE: [string, Check][] = Object.entries({
  columnGroups: (value) =>
    Array.isArray(value) && value.every((one) => isShape(one) && areShapes(one.columns))
      ? undefined
      : "must be a list of groups with columns",
});
const areShapes = (value: unknown): boolean => Array.isArray(value) && value.every(isShape);

/** A table says how it is shown, what its columns are, and what the rows hold. */
function problemsInTable({ view, definition, records, ...others }: Shape): Problem[] {
  const each = (name: string, fields: [string, Check][], map: unknown) =>
    isShape(map)
      ? Object.entries(map).flatMap(([key, one]) => within([name, key], fields, one))
      : [{ path: [name], message: "must be an object" }];
  return [
    ...check(TABLE, others),
    ...within(["view"], VIEW, view),
    ...each("definition", DEFINITION, definition),
    ...each("records", RECORD, records),
  ];
}

function within(place: string[], fields: [string, Check][], value: unknown): Problem[] {
  if (!isShape(value)) return [{ path: place, message: "must be an object" }];
  return check(fields, value).map(({ path, message }) => ({ path: [...place, ...path], message }));
}
