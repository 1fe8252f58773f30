import { refuseAll } from "@octavo/shared/errors";
import type { z } from "zod";
import { problemWithin } from "../claims/condition.js";
import * as adaptiveSchema from "../store/adaptive-schema.js";
import type { Ctx } from "../trpc.js";
import type { headerLinks } from "./fields.js";

/** 400 for conditions of header links that read claims which are different for every visitor of the site. */
export async function checkConditions(
  ctx: Ctx,
  site: string,
  links: z.output<typeof headerLinks> | null = null,
): Promise<void> {
  if (!links?.some(({ condition }) => condition)) return;
  const schema = await adaptiveSchema.find(ctx, site);
  if (!schema) return;
  const { properties } = schema.json_schema;
  const issues = links.flatMap(({ condition }, index) => {
    const message = condition && problemWithin(properties, condition);
    return message ? [{ path: `body.header.links.${index}.condition`, message }] : [];
  });
  refuseAll(issues);
}
