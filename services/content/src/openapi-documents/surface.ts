import { entriesOf, fieldOf, isObject, type Json, type JsonObject } from "./json.js";
import { followed } from "./references.js";

// What clients of an API see of it, in one form for all versions of the specification.

export interface Parameter {
  required: boolean;
  schema: Json | undefined;
}

/** Schemas by media type. */
export type Content = Map<string, Json | undefined>;

export interface Operation {
  /** As the document writes it: `GET /pets/{petId}`. */
  name: string;
  /** By place and name, such as `query limit`; those in the path by their turn, for clients do not see their names. */
  parameters: Map<string, Parameter>;
  body?: { required: boolean; content: Content };
  /** By status. */
  responses: Map<string, Content>;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Returns the operations of a document by what a request for them looks like: names in the path do not matter. */
export function operationsIn(document: JsonObject): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, written] of entriesOf(document, "paths")) {
    const item = followed(document, written);
    for (const method of METHODS) {
      const operation = followed(document, fieldOf(item, method));
      if (!isObject(operation)) continue;
      const key = `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`;
      operations.set(key, operationOf(document, `${method.toUpperCase()} ${path}`, path, item, operation));
    }
  }
  return operations;
}

function operationOf(
  document: JsonObject,
  name: string,
  path: string,
  item: Json | undefined,
  operation: JsonObject,
): Operation {
  const turns = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter!);
  const made: Operation = { name, parameters: new Map(), responses: new Map() };
  // What the operation says of a parameter takes the place of what its path says.
  for (const parameter of [...listOf(item, "parameters"), ...listOf(operation, "parameters")])
    addParameter(document, made, turns, followed(document, parameter));
  const body = followed(document, fieldOf(operation, "requestBody"));
  if (body !== undefined)
    made.body = { required: fieldOf(body, "required") === true, content: contentOf(body) };
  for (const [status, written] of entriesOf(operation, "responses")) {
    const response = followed(document, written);
    const schema = fieldOf(response, "schema");
    made.responses.set(status, schema === undefined ? contentOf(response) : new Map([["*/*", schema]]));
  }
  return made;
}

function addParameter(
  document: JsonObject,
  made: Operation,
  turns: string[],
  parameter: Json | undefined,
): void {
  const [place, name] = [fieldOf(parameter, "in"), fieldOf(parameter, "name")];
  if (typeof place !== "string" || typeof name !== "string") return;
  const required = place === "path" || fieldOf(parameter, "required") === true;
  const content = [...contentOf(parameter).values()][0];
  // In version 2 the parameter is its schema, and the body is a parameter.
  const schema = fieldOf(parameter, "schema") ?? content ?? parameter;
  if (place === "body") made.body = { required, content: new Map([["*/*", schema]]) };
  else
    made.parameters.set(place === "path" ? `path ${turns.indexOf(name) + 1}` : `${place} ${name}`, {
      required,
      schema: followed(document, schema),
    });
}

const listOf = (value: unknown, name: string): Json[] => {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
};

const contentOf = (value: unknown): Content =>
  new Map(entriesOf(value, "content").map(([type, media]) => [type, fieldOf(media, "schema")]));
