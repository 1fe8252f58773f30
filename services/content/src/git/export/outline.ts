import type { ComputedSource, Summary, SummaryItem } from "@octavo/markdown/navigation/summary";
import { slugify } from "@octavo/markdown/source/slug";
import { sql } from "kysely";
import type { PageProps } from "../../db/tables/entries.js";
import { entriesOf, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** What the table of contents says of a page. */
export interface OutlinePage {
  id: string;
  parent: string | null;
  title: string;
  slug: string | null;
  /** The file that it is made of, or will be. */
  file: string | null;
  props: Pick<PageProps, "type" | "linkTitle" | "occurrence"> & { target?: unknown; computed?: unknown };
}

/** All pages of a version, siblings in order, without what no table of contents says. `named` are files that are new. */
export async function outlineOf(
  ctx: Ctx,
  version: ReadPoint,
  named: Map<string, string>,
): Promise<OutlinePage[]> {
  const columns = sql`e.id, e.parent, e.position, e.title, e.slug, e.git_path as file, jsonb_build_object(
    'type', e.props->'type', 'linkTitle', e.props->'linkTitle', 'target', e.props->'target',
    'computed', e.props->'computed', 'occurrence', e.props->'occurrence') as props`;
  const { rows } =
    await sql<OutlinePage>`select * from (${entriesOf(version, sql`e.kind = 'page'`, columns)}) e
    order by e.position, e.id`.execute(ctx.db);
  return rows.map((page) => ({ ...page, file: named.get(page.id) ?? page.file }));
}

/** The table of contents that shows these pages. */
export function summaryOf(pages: OutlinePage[], title?: string): Summary {
  const files = new Map(pages.map(({ id, file }) => [id, file]));
  const below = new Map<string | null, OutlinePage[]>();
  for (const page of pages) {
    const siblings = below.get(page.parent);
    if (siblings) siblings.push(page);
    else below.set(page.parent, [page]);
  }
  const itemsUnder = (parent: string | null): SummaryItem[] =>
    (below.get(parent) ?? []).map((page) => itemOf(page, files, itemsUnder(page.id)));
  const nodes = (below.get(null) ?? []).map((page) => {
    if (page.props.type !== "group") return itemOf(page, files, itemsUnder(page.id));
    const slug = page.slug !== null && page.slug !== slugify(page.title, "group") ? page.slug : undefined;
    return { kind: "group" as const, title: page.title, slug, children: itemsUnder(page.id) };
  });
  return { title, nodes };
}

function itemOf(
  { title, file, props }: OutlinePage,
  files: Map<string, string | null>,
  children: SummaryItem[],
): SummaryItem {
  const linkTitle = props.linkTitle ?? undefined;
  if (props.type === "computed")
    return { kind: "computed", source: props.computed as ComputedSource, children };
  if (props.type === "link")
    return { kind: "link", title, linkTitle, url: addressOf(props.target, files), children };
  return { kind: "page", title, linkTitle, file: file ?? undefined, children };
}

/** Where a link leads: into the tree by the path of the file there. */
function addressOf(target: unknown, files: Map<string, string | null>): string {
  const { kind, url, page, anchor = "" } = target as Record<string, string | undefined>;
  if (kind === "url" || page === undefined) return url ?? "";
  const path = (files.get(page) ?? `broken/pages/${page}.md`).replace(/[%#?]/g, encodeURIComponent);
  return `${/^[^/]*:/.test(path) ? "./" : ""}${path}#${anchor}`;
}
