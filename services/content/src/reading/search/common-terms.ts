import type { Ctx } from "../../trpc.js";
import type { Query, Term } from "./query.js";

/*
 * Terms that more pages of a space or organization hold than a search finds: searches have seen it. Whoever asks for such
 * terms alone will find many pages again, as long as the content is much the same. If not, that costs time only.
 */

/** Whether it was seen of all terms of a query. */
export const areCommon = ({ cache }: Ctx, scope: string, { terms }: Query): boolean =>
  terms.every((term) => cache.has(keyOf(scope, term)));

/** Remembers the terms of a query that found as many pages as there can be. */
export function rememberCommon({ cache }: Ctx, scope: string, { terms }: Query): void {
  for (const term of terms) {
    const key = keyOf(scope, term);
    cache.set(key, { revision: "", value: {} }, { size: key.length + 100 });
  }
}

const keyOf = (scope: string, { forms }: Term) => `${scope} common ${JSON.stringify(forms)}`;
