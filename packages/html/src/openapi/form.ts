import { isObject, objectIn, textIn } from "../data.js";
import { textsOf } from "./examples.js";
import { type Part, type References, resolve } from "./schema.js";

/** The media types of bodies that are the fields of a form. */
const FORMS = ["multipart/form-data", "application/x-www-form-urlencoded"] as const;

/** A body that is the fields of a form. */
export interface Form {
  type: (typeof FORMS)[number];
  fields: FormField[];
}

export interface FormField {
  name: string;
  schema: Part;
  required: boolean;
  isFile: boolean;
  isList: boolean;
  /** Examples of its values. */
  values: string[];
}

const MAX_FIELDS = 60;

/** The form that a media type and a schema stand for, with the values of an example; undefined for other media types. */
export function formOf(
  type: string,
  schema: Part | undefined,
  example: unknown,
  references: References,
): Form | undefined {
  const form = FORMS.find((one) => type.toLowerCase().startsWith(one));
  if (!form) return undefined;
  const at = resolve(schema, references);
  const properties = objectIn(at, "properties") ?? {};
  const values = isObject(example) ? example : {};
  const required = Array.isArray(at.required) ? at.required : [];
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])].slice(0, MAX_FIELDS);
  const fields = names.map((name): FormField => {
    const own = resolve(objectIn(properties, name), references);
    const isList = own.type === "array";
    const leaf = isList ? resolve(objectIn(own, "items"), references) : own;
    const isFile = form === "multipart/form-data" && holdsFile(leaf);
    const texts = Object.hasOwn(values, name) ? textsOf(values[name]) : [];
    return { name, schema: own, required: required.includes(name), isFile, isList, values: texts };
  });
  return { type: form, fields };
}

/** Files are binary texts in version 3.0, texts of another media type in 3.1, and a type in 2.0. */
const holdsFile = (schema: Part): boolean =>
  schema.format === "binary" ||
  schema.type === "file" ||
  (textIn(schema, "contentMediaType") !== undefined && schema.contentEncoding === undefined);

/** The body of an operation of version 2.0 whose parameters are the fields of a form: its media type and its schema. */
export function formOfParameters(
  { consumes }: Part,
  parameters: Part[],
): { type: string; schema: Part } | undefined {
  const own = parameters.filter((one) => one.in === "formData");
  if (own.length === 0) return undefined;
  const types = Array.isArray(consumes) ? consumes : [];
  const isMultipart = types.includes(FORMS[0]) || own.some(({ type }) => type === "file");
  return {
    type: isMultipart ? FORMS[0] : FORMS[1],
    schema: {
      type: "object",
      properties: Object.fromEntries(own.map(({ required: _, ...one }) => [textIn(one, "name") ?? "", one])),
      required: own.filter((one) => one.required === true).map(({ name }) => name),
    },
  };
}
