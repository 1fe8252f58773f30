import { Validator } from "@seriousme/openapi-schema-validator";
import type { JsonObject } from "./json.js";
import { DocumentError, MOST_PROBLEMS, type Problem, reject } from "./problem.js";

const VERSION = /^(2\.0|3\.[0-2](\.\d+)?)$/;

/** Compiled once for each version of the specification. */
const validator = new Validator();

/** Rejects a document that is not OpenAPI 2.0 or 3.0 to 3.2, or not what its version of the specification allows. */
export async function refuseInvalid(document: JsonObject): Promise<void> {
  const version = document.openapi ?? document.swagger;
  if (typeof version !== "string" || !VERSION.test(version))
    reject(
      "invalid",
      "The document names no version that is known: `openapi: 3.0.0` to 3.2, or `swagger: '2.0'`",
    );
  const { valid, errors } = await validator.validate(document);
  // A text is about references, which were looked at already, through one another and in circles too.
  if (valid || typeof errors === "string" || !errors) return;
  const deepest = Math.max(...errors.map(({ instancePath }) => depthOf(instancePath)));
  const problems = errors
    .filter(({ instancePath, keyword }) => depthOf(instancePath) === deepest && !ALTERNATIVES.has(keyword))
    .map(({ instancePath, message = "is not allowed", params }): Problem => {
      const name = (params as { additionalProperty?: string }).additionalProperty;
      const unique = name === undefined ? message : `${message}: ${name}`;
      return { message: `${instancePath || "/"}: ${unique}`.slice(0, 500), code: "invalid" };
    });
  const unique = new Map(problems.map((problem) => [problem.message, problem]));
  if (unique.size === 0) reject("invalid", "The document is not valid");
  throw new DocumentError([...unique.values()].slice(0, MOST_PROBLEMS));
}

/** The alternatives themselves report these better. */
const ALTERNATIVES = new Set(["oneOf", "anyOf", "if", "$ref", "$dynamicRef"]);

const depthOf = (path: string) => path.split("/").length;
