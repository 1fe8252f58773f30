import { slugify, uniqueSlug } from "@octavo/markdown/source/slug";
import type { Ctx } from "../trpc.js";
import { entriesOfKind } from "./entries.js";
import { type Outcome, withFields } from "./merge-entry.js";
import type { Entry, ReadPoint } from "./version.js";

/** The folder of a repository in which reusable contents lie. */
export const INCLUDES = ".gitbook/includes/";

type Placed = Pick<Entry, "git_path" | "slug" | "title">;

/** Where a reusable content lies: its file in the repository, or where it would lie by its slug. */
export const includePath = ({ git_path, slug, title }: Placed): string =>
  git_path ?? `${INCLUDES}${slug ?? slugify(title)}.md`;

/** A slug for a reusable content that lies where none of the others does: the wanted one, else that with a number. */
export function freeIncludeSlug(wanted: string, others: Placed[]): string {
  const taken = new Set(others.map(includePath));
  return uniqueSlug(wanted, { has: (slug) => taken.has(`${INCLUDES}${slug}.md`) });
}

/** Gives reusable contents that a merge adds to others slugs of their own. */
export async function arrangeIncludes(ctx: Ctx, primary: ReadPoint, outcomes: Outcome[]): Promise<void> {
  const isArriving = ({ result, primary }: Outcome) =>
    result?.kind === "reusable" && !primary && result.git_path === null;
  const arriving = outcomes.filter(isArriving);
  if (arriving.length === 0) return;
  const touched = new Set(outcomes.map(({ id }) => id));
  const others: Entry[] = (await entriesOfKind(ctx, primary, "reusable")).filter(
    ({ id }) => !touched.has(id),
  );
  for (const outcome of outcomes)
    if (outcome.result?.kind === "reusable" && !isArriving(outcome)) others.push(outcome.result);
  for (const outcome of arriving) {
    const { slug, title } = outcome.result!;
    const free = freeIncludeSlug(slug ?? slugify(title), others);
    outcome.result = withFields(outcome.result!, { slug: free });
    others.push(outcome.result);
  }
}
