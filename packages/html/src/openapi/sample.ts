import { exampleOf, exampleText, givenExample, textsOf } from "./examples.js";
import { type Request, takesBearer, typeOfBody } from "./request.js";
import { type Part, partIn, type References, wordsIn } from "./schema.js";

/** A request as a line for curl, with examples of all that it has to hold beside its path. */
export function sampleOf(request: Request): string {
  const { method, path, server = "", parameters, body, references } = request;
  const required = (place: string) =>
    parameters
      .filter((one) => one.in === place && one.required === true)
      .flatMap((one) => valuesOf(one, references));
  const query = new URLSearchParams(required("query")).toString();
  const url = server.replace(/\/+$/, "") + path + (query === "" ? "" : `?${query}`);
  const lines = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quoted(url)}`];
  if (takesBearer(request)) lines.push(`  -H "Authorization: Bearer $TOKEN"`);
  for (const [name, value] of required("header")) lines.push(`  -H ${quoted(`${name}: ${value}`)}`);
  if (body)
    lines.push(
      `  -H ${quoted(`Content-Type: ${typeOfBody(body)}`)}`,
      `  -d ${quoted(exampleText(body.example))}`,
    );
  return lines.join(" \\\n");
}

/** Examples of a parameter by its name: as many as its list has. */
function valuesOf(parameter: Part, references: References): [string, string][] {
  const schema = partIn(parameter, "schema") ?? parameter;
  const example = givenExample(parameter, references) ?? exampleOf(schema, references);
  return textsOf(example).map((text) => [wordsIn(parameter, "name") ?? "", text || "…"]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
