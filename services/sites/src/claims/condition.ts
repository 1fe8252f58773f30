import { claimsIn, conditionProblem } from "@octavo/markdown/expression/check";
import { text } from "@octavo/shared/contracts/fields";
import { isDeterministic } from "./claims.js";
import type { Claim, Properties } from "./schema.js";

const LONGEST = 1024;

/** A condition over the claims of visitors; one that is no expression, or reads anything else, is refused. */
export const condition = text(LONGEST, 1).superRefine((source, context) => {
  const problem = source.length > LONGEST ? undefined : conditionProblem(source, ["visitor"]);
  if (problem) context.addIssue({ code: "custom", message: `is no condition: ${problem}` });
});

/**
 * What a condition reads that the schema of its site does not let it, or undefined: numbers, lists and free texts are
 * different for every visitor. Claims that the schema does not know are nobody's, and may come later.
 */
export function problemWithin(properties: Properties, source: string): string | undefined {
  for (const path of claimsIn(source)) {
    const read = claimAt(properties, path);
    if (read && read.claim.type !== "object" && !isDeterministic(read.claim))
      return `reads visitor.claims.${read.path.join(".")}, which is neither a boolean nor a text of a list`;
  }
  return undefined;
}

/** The innermost claim on a path, with its own path; what stands behind it is a part of its value. */
function claimAt(properties: Properties, path: string[]): { claim: Claim; path: string[] } | undefined {
  let within = properties;
  for (const [index, name] of path.entries()) {
    const claim = Object.hasOwn(within, name) ? within[name] : undefined;
    if (claim?.type !== "object") return claim && { claim, path: path.slice(0, index + 1) };
    within = claim.properties;
  }
  return undefined;
}
