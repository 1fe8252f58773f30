import { maySpecify } from "../../spec-files/read.js";
import { sizesOf } from "../../store/bodies.js";
import type { FileEntry, PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { referencesFrom } from "./queries.js";

interface Among {
  pages: PageEntry[];
  files: FileEntry[];
}

/**
 * How long it takes to draw pages of a space, as the number of bytes by page: of its text, and of those files which it refers
 * to that may be specifications.
 */
export async function lengthsOf(
  ctx: Ctx,
  space: string,
  { pages, files }: Among,
): Promise<Map<PageEntry, number>> {
  const named = files.filter(maySpecify);
  const specifications = new Map(named.map(({ id, props }) => [id, props.size]));
  const bodies = pages.map(({ body }) => body);
  const [sizes, references] = await Promise.all([
    sizesOf(ctx, space, bodies),
    referencesFrom(ctx, space, { bodies, targets: [...specifications.keys()] }),
  ]);
  const ofSpecifications = new Map<string, number>();
  for (const { source, body, target } of references) {
    const key = `${source} ${body}`;
    ofSpecifications.set(key, (ofSpecifications.get(key) ?? 0) + specifications.get(target!)!);
  }
  return new Map(
    pages.map((page, index) => [
      page,
      sizes[index]! + (ofSpecifications.get(`${page.id} ${page.body}`) ?? 0),
    ]),
  );
}
