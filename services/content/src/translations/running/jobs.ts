import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { z } from "zod";
import type { Ctx } from "../../trpc.js";
import * as translations from "../store/translations.js";

/** Brings a translation up to date. What was translated before a crash is not sent again. */
export const runTranslation = defineJob("translations.run", z.object({ translation: z.string() }), {
  attempts: 3,
  deadlineMs: 2 * 3_600_000,
});

/** Looks for translations whose source has changed. */
export const followSources = defineJob("translations.follow", z.object({}));

/** Has a translation run; those of one organization run one after the other. */
export const enqueueRun = (
  ctx: Parameters<typeof enqueue>[0],
  { id, organization }: { id: string; organization: string },
) => {
  const options = { key: `translations.run ${id}`, queue: `translations:${organization}` };
  return enqueue(ctx, runTranslation, { translation: id }, options);
};

const AT_ONCE = 200;

/** Has the translations run whose source has changed; what is too much for once comes with the next look. */
export async function followAll(ctx: Ctx): Promise<void> {
  if (!ctx.translator) return;
  for (const translation of await translations.outdated(ctx, AT_ONCE)) await enqueueRun(ctx, translation);
}
