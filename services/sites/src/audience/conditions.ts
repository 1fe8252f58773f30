import { refuseAt } from "@octavo/shared/errors";
import { problemWithin } from "../claims/condition.js";
import * as adaptiveSchema from "../store/adaptive-schema.js";
import type { Ctx } from "../trpc.js";

/** 400 for a condition that reads claims of a site which are different for every visitor; none is fine. */
export async function checkCondition(ctx: Ctx, site: string, condition: string | null = null): Promise<void> {
  const schema = condition === null ? undefined : await adaptiveSchema.find(ctx, site);
  const problem = schema && problemWithin(schema.json_schema.properties, condition!);
  if (problem) refuseAt("body.condition", problem);
}
