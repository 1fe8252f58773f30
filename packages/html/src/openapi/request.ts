import { objectIn } from "../data.js";
import { exampleOf, givenExample } from "./examples.js";
import { type Form, formOf, formOfParameters } from "./form.js";
import { type Media, mediaOf } from "./media.js";
import { type Part, partsIn, type References, resolve } from "./schema.js";
import { type Scheme, schemesOf, securityOf } from "./security.js";

/** An operation where it is sent to. */
interface Given {
  operation: Part;
  references: References;
  method: string;
  path: string;
  /** Where requests go, when the document says so. */
  server: string | undefined;
}

/** What is sent to an operation. */
export interface Request extends Given {
  parameters: Part[];
  body: Body | undefined;
  /** The ways to authorize it. */
  security: Scheme[][];
}

/** A body that an operation takes. */
export interface Body {
  /** What it may be, the first of which it is sent as. */
  media: [Media, ...Media[]];
  /** What says more about it. */
  about: Part;
  example: unknown;
  /** The same as the fields of a form, where it is sent as one. */
  form: Form | undefined;
}

const MAX_PARAMETERS = 100;

/** What an operation takes, with an example of its body. A parameter that is a secret is shown as that alone. */
export function requestOf(given: Given): Request {
  const { operation, references } = given;
  const security = securityOf(operation, references);
  const schemes = schemesOf(security);
  const parameters = parametersOf(given).filter(
    (one) => !schemes.some(({ place, field }) => one.in === place && one.name === field),
  );
  return { ...given, parameters, body: bodyOf(given, parameters), security };
}

/** The parameters of an operation, each once: its own before those of its path. */
function parametersOf({ operation, references }: Given): Part[] {
  const all = partsIn(operation, "parameters").map((one) => resolve(one, references));
  const byKey = new Map(all.map((one) => [`${String(one.in)} ${String(one.name)}`, one]));
  return [...byKey.values()].filter((one) => typeof one.name === "string").slice(0, MAX_PARAMETERS);
}

/** The body of an operation; in documents of version 2.0, the parameters that are one. */
function bodyOf({ operation, references }: Given, parameters: Part[]): Body | undefined {
  const about = resolve(objectIn(operation, "requestBody"), references);
  const [first, ...others] = mediaOf(about);
  if (first) return bodyWith([first, ...others], about, references);
  const form = formOfParameters(operation, parameters);
  if (form) return bodyWith([{ types: [form.type], schema: form.schema, about: {} }], {}, references);
  const old = parameters.find((one) => one.in === "body");
  const media = { types: ["application/json"], schema: objectIn(old, "schema"), about: {} };
  return old && bodyWith([media], old, references);
}

function bodyWith(media: Body["media"], about: Part, references: References): Body {
  const [{ types, schema, about: described }] = media;
  const example = givenExample(described, references) ?? exampleOf(schema, references);
  return { media, about, example, form: formOf(types[0]!, schema, example, references) };
}

/** The media type that a body is sent as. */
export const typeOfBody = ({ media: [first] }: Body): string => first.types[0]!;
