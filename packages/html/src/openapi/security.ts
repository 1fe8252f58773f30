import { textIn } from "../data.js";
import { type Part, partsIn, type References, resolve } from "./schema.js";

/** How a request proves who sends it, by one of the security schemes of a document. */
export interface Scheme {
  /** What the document calls it. */
  name: string;
  kind: "bearer" | "basic" | "key";
  /** Where the secret stands, and under which name. */
  place: "header" | "query" | "cookie";
  field: string;
  /** The variables of a shell that stand for the secret in a sample. */
  variables: string;
  about: Part;
}

/** Ways to authorize an operation, and schemes of one way. */
const MAX_SCHEMES = 5;
const LONGEST_NAME = 100;

/**
 * The ways to authorize an operation, each with the schemes that it takes together; none where it takes nothing. What no
 * line for curl can send is left out: client certificates, and secrets in fields whose names are none.
 */
export const securityOf = (operation: Part, references: References): Scheme[][] =>
  partsIn(operation, "security")
    .slice(0, MAX_SCHEMES)
    .map((way) => {
      const names = Object.keys(way).slice(0, MAX_SCHEMES);
      return numbered(names.flatMap((name) => schemeOf(name, references) ?? []));
    })
    .filter((way) => way.length > 0);

/** All schemes of an operation, each once. */
export const schemesOf = (security: Scheme[][]): Scheme[] => [
  ...new Map(security.flat().map((one) => [one.name, one])).values(),
];

/** Where documents of version 3, and those of version 2.0, describe schemes. */
const HOLDERS = ["#/components/securitySchemes/", "#/securityDefinitions/"];

function schemeOf(name: string, references: References): Scheme | undefined {
  const about = HOLDERS.map((one) => resolve({ $ref: one + name }, references)).find(({ type }) => type);
  const kind = about?.type === "http" ? textIn(about, "scheme")?.toLowerCase() : about?.type;
  if (!about || typeof kind !== "string") return undefined;
  const shared = { name: name.slice(0, LONGEST_NAME), about };
  const authorization = { ...shared, place: "header", field: "Authorization" } as const;
  if (["bearer", "oauth2", "openIdConnect"].includes(kind))
    return { ...authorization, kind: "bearer", variables: "$TOKEN" };
  if (kind === "basic") return { ...authorization, kind, variables: "$USERNAME:$PASSWORD" };
  const field = textIn(about, "name") ?? "";
  const place = (["header", "query", "cookie"] as const).find((one) => one === about.in);
  // The name stands in a sample between quotes in which the shell would read signs of its own.
  if (kind !== "apiKey" || !place || !/^[\w.-]{1,100}$/.test(field)) return undefined;
  return { ...shared, kind: "key", place, field, variables: "$API_KEY" };
}

/** Keys that are sent together have variables of their own. */
function numbered(way: Scheme[]): Scheme[] {
  let keys = 0;
  return way.map((one) => {
    if (one.kind !== "key") return one;
    keys += 1;
    return keys === 1 ? one : { ...one, variables: `${one.variables}_${keys}` };
  });
}
