import { ERRORS } from "./openapi-errors.js";
import type { Json } from "./openapi-schemas.js";
import type { RawDeclaration } from "./routes.js";

/** A raw route as the OpenAPI document shows it: without a bearer, and with whatever it takes and returns. */
export function describeRaw({ path, name, openapi }: RawDeclaration) {
  const { operationId, summary, status = 200, response, query = [], body } = openapi;
  const inPath = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, parameter]) => ({
    name: parameter!,
    in: "path",
    required: true,
    schema: text,
  }));
  const inQuery = query.map((parameter) => ({ name: parameter, in: "query", schema: text }));
  const { 401: _, 403: __, ...refusals } = ERRORS;
  return {
    operationId,
    summary,
    tags: [name.split(".")[0]!],
    security: [],
    parameters: [...inPath, ...inQuery],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      [status]: response
        ? { description: "Success", content: contentOf(response) }
        : { description: "Elsewhere", headers: { location: { schema: { type: "string", format: "uri" } } } },
      ...refusals,
    },
  };
}

const text = { type: "string" };

/** A schema is described for JSON and forms; anything else is bytes. */
const contentOf = ({ type, schema }: { type: string; schema?: Json }) => ({
  [type]: schema ? { schema } : {},
});
