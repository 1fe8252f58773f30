import { findComputed } from "../../computed/expand.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import type { PageRow } from "./queries.js";

/** By what a page is looked for. */
type Wanted = Parameters<typeof findComputed>[2];

/** A page that a source makes, as others are read; undefined when none makes it. */
export async function readComputed(
  ctx: Ctx,
  scope: ResolvedTarget,
  wanted: Wanted,
): Promise<PageRow | undefined> {
  const found = await findComputed(ctx, scope, wanted);
  if (!found) return undefined;
  const { entry, above, below } = found;
  return { ...entry, above, below, markdown: entry.made.markdown };
}

/** What was read of a page, or of one that a source makes where no page was found. */
export const orComputed = async (
  ctx: Ctx,
  scope: ResolvedTarget,
  part: PageRow,
  wanted: Wanted,
): Promise<PageRow> => (part.id === null ? ((await readComputed(ctx, scope, wanted)) ?? part) : part);
