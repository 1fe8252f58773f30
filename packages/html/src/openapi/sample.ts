import { objectIn, textIn } from "../data.js";
import { exampleOf, exampleText, givenExample, textsOf } from "./examples.js";
import type { Form } from "./form.js";
import { type Body, type Request, typeOfBody } from "./request.js";
import type { Part, References } from "./schema.js";
import type { Scheme } from "./security.js";

/** A request as a line for curl, with examples of all that it has to hold beside its path. */
export function sampleOf(request: Request): string {
  const { method, path, server = "", parameters, body, references, security } = request;
  const required = (place: string) =>
    parameters
      .filter((one) => one.in === place && one.required === true)
      .flatMap((one) => valuesOf(one, references));
  const query = new URLSearchParams(required("query")).toString();
  const url = server.replace(/\/+$/, "") + path + (query === "" ? "" : `?${query}`);
  const secrets = security[0] ?? [];
  const lines = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${address(url, secrets)}`];
  lines.push(...secrets.flatMap(secretLine));
  for (const [name, value] of required("header")) lines.push(`  -H ${quoted(`${name}: ${value}`)}`);
  if (body) lines.push(...(body.form ? formLines(body.form) : textLines(body)).map((line) => `  ${line}`));
  return lines.join(" \\\n");
}

/** An address with the secrets that stand in its query. */
function address(url: string, secrets: Scheme[]): string {
  const parts = secrets
    .filter(({ place }) => place === "query")
    .map(({ field, variables }, at) => {
      const sign = at > 0 || url.includes("?") ? "&" : "?";
      return `${quoted(`${at > 0 ? "" : url}${sign}${field}=`)}"${variables}"`;
    });
  return parts.length > 0 ? parts.join("") : quoted(url);
}

/** A secret that does not stand in the address, as the shell knows it. */
function secretLine({ kind, place, field, variables }: Scheme): string[] {
  if (kind === "basic") return [`  -u "${variables}"`];
  if (place === "cookie") return [`  -b "${field}=${variables}"`];
  return place === "query" ? [] : [`  -H "${field}: ${kind === "bearer" ? "Bearer " : ""}${variables}"`];
}

const textLines = (body: Body): string[] => [
  `-H ${quoted(`Content-Type: ${typeOfBody(body)}`)}`,
  `-d ${quoted(exampleText(body.example))}`,
];

/** The fields of a form, which curl writes as its media type says: it would read some values as files or types of parts. */
function formLines({ type, fields }: Form): string[] {
  const lineOf = (name: string, value: string) => {
    if (type !== "multipart/form-data")
      return `--data-urlencode ${quoted(`${encodeURIComponent(name)}=${value}`)}`;
    return `${/^[@<]|;/.test(value) ? "--form-string" : "-F"} ${quoted(`${name}=${value}`)}`;
  };
  return fields.flatMap(({ name, isFile, values }) =>
    isFile ? [`-F ${quoted(`${name}=@file`)}`] : values.map((value) => lineOf(name, value)),
  );
}

/** Examples of a parameter by its name: as many as its list has. */
function valuesOf(parameter: Part, references: References): [string, string][] {
  const schema = objectIn(parameter, "schema") ?? parameter;
  const example = givenExample(parameter, references) ?? exampleOf(schema, references);
  const texts = textsOf(example);
  return (texts.length > 0 ? texts : ["…"]).map((text) => [textIn(parameter, "name") ?? "", text]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
