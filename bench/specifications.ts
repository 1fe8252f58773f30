/** An OpenAPI document of about so many bytes: operations with parameters, bodies and schemas that refer to each other. */
export function specificationOf(bytes: number): object {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (let at = 0, length = 0; length < bytes; at++) {
    const [path, operation] = [`/things-${at}/{id}`, operationOf(at)];
    const schema = schemaOf(at);
    paths[path] = { get: operation, patch: { ...operation, operationId: `change${at}`, ...bodyOf(at) } };
    schemas[`Thing${at}`] = schema;
    length += JSON.stringify([path, paths[path], schema]).length;
  }
  return { openapi: "3.1.0", info: { title: "Large", version: "1.0.0" }, paths, components: { schemas } };
}

const json = (at: number) => ({
  "application/json": { schema: { $ref: `#/components/schemas/Thing${at}` } },
});

const bodyOf = (at: number) => ({ requestBody: { content: json(at) } });

const operationOf = (at: number) => ({
  operationId: `read${at}`,
  summary: `Read thing ${at}`,
  description: `Returns thing ${at} with all that belongs to it, as chapter ${at % 41} describes it. `.repeat(
    4,
  ),
  tags: [`Chapter ${at % 41}`],
  parameters: ["id", "fields", "limit"].map((name) => ({
    name,
    in: name === "id" ? "path" : "query",
    required: name === "id",
    description: `The ${name} of thing ${at}`,
    schema: { type: name === "limit" ? "integer" : "string" },
  })),
  responses: {
    200: { description: `Thing ${at}`, content: json(at) },
    404: { description: "There is no such thing" },
  },
});

const schemaOf = (at: number) => ({
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string" },
    other: { $ref: `#/components/schemas/Thing${Math.floor(at / 2)}` },
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, field) => [
        `field${field}`,
        { type: "string", description: `Field ${field} of thing ${at}`, maxLength: 100 + field },
      ]),
    ),
  },
});
