import { conditionProblem } from "@octavo/markdown/expression/check";
import type { Claim, Properties } from "./schema.js";

export interface TemplateCondition {
  description: string;
  condition: string;
}

/**
 * The conditions that a schema suggests, in its order: one for each boolean, and one for each value of a text with values.
 * Those that would be longer than a condition may be are left out.
 */
export function templateConditions(properties: Properties): TemplateCondition[] {
  const all = Object.entries(properties).flatMap(([name, claim]) =>
    ofClaim(claim, `visitor.claims${member(name)}`),
  );
  return all.filter(({ condition }) => conditionProblem(condition) === undefined);
}

function ofClaim(claim: Claim, path: string): TemplateCondition[] {
  const { description } = claim;
  if (claim.type === "boolean") return [{ description, condition: `${path} == true` }];
  if (claim.type === "string")
    return (claim.enum ?? []).map((value) => ({
      description,
      condition: `${path} == ${JSON.stringify(value)}`,
    }));
  if (claim.type !== "object") return [];
  return Object.entries(claim.properties).flatMap(([name, inner]) =>
    ofClaim(inner, `${path}${member(name)}`),
  );
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const member = (name: string) => (IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
