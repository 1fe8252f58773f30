import { text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

// The language in which a site says which claims its visitors may make: a small part of JSON Schema, draft 7.
// Source: the schemas of adaptive content of the interface.

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const UNSIGNED = "Unsigned claims of the site visitor.";

/** Claims of a schema, those within others included. */
const MOST_CLAIMS = 200;
/** Values that all texts of a schema may have together. */
const MOST_VALUES = 500;
/** Claims in each other. */
const DEEPEST = 5;

const description = text(1024);
const claimName = text(100, 1);

const booleanClaim = z.strictObject({ type: z.literal("boolean"), description });
const textClaim = z.strictObject({
  type: z.literal("string"),
  description,
  /** The texts that it may be; any when absent. */
  enum: z
    .array(text(256))
    .min(1)
    .max(100)
    .refine((values) => new Set(values).size === values.length, "must not name a text twice")
    .optional(),
});
const numberClaim = z.strictObject({ type: z.literal("number"), description });
const primitiveClaim = z
  .discriminatedUnion("type", [booleanClaim, textClaim, numberClaim])
  .meta({ id: "SiteAdaptiveJSONSchemaPrimitives" });
type PrimitiveClaim = z.output<typeof primitiveClaim>;

const listClaim = z.strictObject({ type: z.literal("array"), description, items: primitiveClaim });

export interface GroupClaim {
  type: "object";
  description: string;
  properties: Record<string, Claim>;
  additionalProperties: false;
}
export type Claim = PrimitiveClaim | z.output<typeof listClaim> | GroupClaim;

const groupClaim = z.strictObject({
  type: z.literal("object"),
  description,
  get properties(): z.ZodRecord<z.ZodString, z.ZodType<Claim>> {
    return z.record(claimName, claim);
  },
  additionalProperties: z.literal(false),
});
const claim = z
  .discriminatedUnion("type", [booleanClaim, textClaim, numberClaim, listClaim, groupClaim])
  .meta({ id: "SiteAdaptiveJSONSchemaClaimsProperties" });

export type Properties = Record<string, Claim>;

/** Which claims visitors of a site may make. Those below `unsigned` are taken from whoever makes them. */
export const SiteAdaptiveJSONSchema = z
  .strictObject({
    $schema: z.literal(DRAFT_7).optional(),
    type: z.literal("object"),
    properties: z.record(claimName, claim),
    additionalProperties: z.literal(false),
  })
  .superRefine(({ properties }, context) => {
    for (const { path, message } of [...problemsOfUnsigned(properties), ...excessIn(properties)])
      context.addIssue({ code: "custom", path: ["properties", ...path], message });
  })
  .meta({ id: "SiteAdaptiveJSONSchema" });
export type SiteAdaptiveJSONSchema = z.output<typeof SiteAdaptiveJSONSchema>;

/** The schema of a site that nobody gave one: nothing that its visitors claim counts. */
export const EMPTY_SCHEMA: SiteAdaptiveJSONSchema = {
  type: "object",
  properties: {},
  additionalProperties: false,
};

interface Problem {
  path: string[];
  message: string;
}

/** The name is kept for what visitors say without proof. */
function problemsOfUnsigned({ unsigned }: Properties): Problem[] {
  const at = (field: string, message: string) => [{ path: ["unsigned", field], message }];
  if (unsigned === undefined) return [];
  if (unsigned.type !== "object") return at("type", "must be `object`: it holds the unsigned claims");
  return unsigned.description === UNSIGNED ? [] : at("description", `must be \`${UNSIGNED}\``);
}

/** Where a schema says more than is kept: it is read for every visitor. */
function excessIn(properties: Properties): Problem[] {
  const found: Problem[] = [];
  const count = { claims: 0, values: 0 };
  const visit = (claims: Properties, path: string[], depth: number) => {
    for (const [name, claim] of Object.entries(claims)) {
      const here = [...path, name];
      count.claims += 1;
      if (claim.type === "string") count.values += claim.enum?.length ?? 0;
      if (claim.type !== "object") continue;
      if (depth >= DEEPEST)
        found.push({ path: here, message: `must not lie deeper than ${DEEPEST} claims in each other` });
      else visit(claim.properties, [...here, "properties"], depth + 1);
    }
  };
  visit(properties, [], 1);
  if (count.claims > MOST_CLAIMS)
    found.push({ path: [], message: `must not hold more than ${MOST_CLAIMS} claims` });
  if (count.values > MOST_VALUES)
    found.push({ path: [], message: `must not hold more than ${MOST_VALUES} values of texts` });
  return found;
}
