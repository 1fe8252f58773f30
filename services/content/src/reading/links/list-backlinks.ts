import { encodeCursor } from "@octavo/shared/contracts/cursor";
import { badCursor, decodeCursor } from "@octavo/shared/cursor";
import { filesMeantBy } from "../../documents/addresses.js";
import type { Located } from "../../references/addressed.js";
import { entriesAt, pathOf } from "../../references/paths.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Entry, Version } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import * as backlinks from "./backlinks.js";
import { hydrateLinks } from "./hydrate.js";
import { readableSpaces } from "./readable.js";
import { locationOf } from "./view.js";

/**
 * Lists what refers to an entry, given with its ancestors, from this version and from the published content of other
 * spaces that the caller may read.
 */
export async function listBacklinks(
  ctx: Ctx,
  scope: ResolvedTarget,
  line: Entry[],
  { page, limit }: { page?: string; limit: number },
) {
  const [space, id] = page === undefined ? ["", ""] : decodeCursor(page, 2);
  if (typeof space !== "string" || typeof id !== "string") badCursor();
  const referred = await referredAt(ctx, scope.version, line);
  const others = await readableSpaces(ctx, await backlinks.spacesReferring(ctx, referred));
  const referring = backlinks.referring(
    referred,
    others.map((other) => other.id),
  );
  const after = { space, id };
  const rows = limit === 0 ? [] : await backlinks.backlinksAfter(ctx, referring, after, limit + 1);
  const items = rows.slice(0, limit);
  const whole = page === undefined && rows.length <= limit && limit > 0;
  const count = whole ? items.length : await backlinks.countBacklinks(ctx, referring);
  const located = items.map((item): Located => ({ ...item, space: item.space || scope.space }));
  const around = await hydrateLinks(ctx, scope, located);
  const last = items.at(-1);
  return {
    items: located.flatMap((item) => locationOf(around, item) ?? []),
    count,
    ...(rows.length > limit && last && { next: { page: encodeCursor([last.space, last.id]) } }),
  };
}

/** An entry with the paths that references without an id use, and that mean it. */
async function referredAt(ctx: Ctx, version: Version, line: Entry[]): Promise<backlinks.Referred> {
  const [entry] = line as [Entry];
  const bySlugs = pathOf([{ ...entry, git_path: null }, ...line.slice(1)]);
  const places = [...new Set([pathOf(line), bySlugs].flatMap(formsOf))];
  const used = await backlinks.pathsAround(ctx, version, places);
  const meant = await entriesAt(ctx, version, used);
  const paths = used.filter((path) => meant.get(path)?.id === entry.id);
  return { version, id: entry.id, paths, addresses: entry.kind === "page" ? addressesOf(line) : [] };
}

/** What an address of the application may name a page by. */
const addressesOf = (line: Entry[]): string[] => [
  line[0]!.id,
  line
    .map(({ slug }) => slug ?? "")
    .reverse()
    .join("/"),
];

/** All ways to write the path of a file. */
function formsOf(file: string): string[] {
  const plain = file.replace(/(?:^|\/)README\.md$/, "").replace(/\.md$/, "");
  return [file, plain, ...filesMeantBy(plain), `${plain}.markdown`, `${plain}/index.md`];
}
