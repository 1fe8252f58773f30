import { uniqueSlug } from "@octavo/markdown/source/slug";
import type { Ctx } from "../trpc.js";
import { siblingsUnder } from "./entries.js";
import type { Outcome } from "./merge-entry.js";
import { inOrder, positionAt } from "./order.js";
import type { Entry, ReadPoint } from "./version.js";

/**
 * Gives pages that come to stand beside others a place of their own: the slug of the one that arrives gets a suffix, and
 * no two share a position.
 */
export async function arrangePlaces(ctx: Ctx, primary: ReadPoint, outcomes: Outcome[]): Promise<void> {
  const arriving = outcomes.filter(({ result, primary }) => {
    if (result?.kind !== "page") return false;
    return (
      !primary ||
      primary.parent !== result.parent ||
      primary.slug !== result.slug ||
      primary.position !== result.position
    );
  });
  for (const parent of new Set(arriving.map(({ result }) => result!.parent))) {
    const leaving = new Set(outcomes.map(({ id }) => id));
    const staying = await siblingsUnder(ctx, primary, parent);
    const beside = staying.filter(({ id }) => !leaving.has(id));
    for (const { id, result } of outcomes) {
      if (result?.parent === parent && result.kind === "page" && !arriving.some((one) => one.id === id))
        beside.push(result);
    }
    for (const outcome of arriving) {
      const page = outcome.result!;
      if (page.parent !== parent) continue;
      beside.sort(inOrder);
      outcome.result = { ...page, ...freePlace(page, beside) };
      beside.push(outcome.result);
    }
  }
}

type Sibling = Pick<Entry, "id" | "position" | "slug">;

/** The slug and the position of a page beside its siblings, changed where they are taken. */
function freePlace({ slug, position }: Entry, beside: Sibling[]): Pick<Entry, "slug" | "position"> {
  const taken = new Set(beside.map((sibling) => sibling.slug ?? ""));
  const crowded = beside.some((sibling) => sibling.position === position);
  const behind = beside.filter((sibling) => sibling.position <= position).length;
  return {
    slug: slug === null ? null : uniqueSlug(slug, taken),
    position: crowded ? positionAt(beside, behind) : position,
  };
}
