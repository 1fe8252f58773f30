import { anyOf } from "@octavo/shared/database/any-of";
import { sizesOf } from "../../store/bodies.js";
import type { FileEntry, PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** Names of files that may be specifications of APIs. */
const SPECIFICATION = /\.(?:ya?ml|json)$/i;

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
  const named = files.filter(({ title }) => SPECIFICATION.test(title));
  const specifications = new Map(named.map(({ id, props }) => [id, props.size]));
  const bodies = pages.map(({ body }) => body);
  const [sizes, references] = await Promise.all([
    sizesOf(ctx, space, bodies),
    referencesTo(ctx, space, [...specifications.keys()]),
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

/** What refers to some targets of a space, once for each text of it. */
async function referencesTo({ db }: Ctx, space: string, targets: string[]) {
  if (targets.length === 0) return [];
  return db
    .selectFrom("reference")
    .select(["source", "body", "target"])
    .distinct()
    .where("space", "=", space)
    .where("target", "=", anyOf(targets))
    .execute();
}
