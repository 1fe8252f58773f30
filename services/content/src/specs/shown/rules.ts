import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { readPage } from "../../reading/content/rules.js";
import { resolveTarget } from "../../revisions/target.js";
import { specFile, specIn } from "../../spec-files/read.js";
import type { Call, Ctx } from "../../trpc.js";
import * as specs from "../store/specs.js";
import { textOf } from "../store/versions.js";
import { type Excerpt, excerptFor } from "./excerpt.js";
import { type Named, namedIn } from "./named.js";
import type { OfPage, OperationsOfPage } from "./schema.js";
import { shownFrom } from "./view.js";

/** Operations, webhooks and specifications with schemas that one page shows at most. */
const MOST = 60;

/** Files of specifications that one page shows operations of at most. */
const MOST_FILES = 5;

/**
 * The operations, webhooks and schemas that the blocks of a page name, each with all that it refers to, as whoever reads the
 * page is shown it: of a specification nothing is disclosed but what the page shows. What is not there is left out. 404 for
 * a page that is not.
 */
export async function ofPage({ ctx, input }: Call<typeof OfPage>): Promise<OperationsOfPage> {
  const { spaceId, revisionId } = input;
  const flags = { format: "document", evaluated: "true", metadata: false, computed: true } as const;
  // Of the page's revision the page alone is immutable: what specifications say of it goes on.
  const { output: shown } = await readPage(ctx, input, { ...input, ...flags });
  const document = "document" in shown ? (shown.document as JSONDocument | undefined) : undefined;
  const all = document ? namedIn(document).slice(0, MOST) : [];
  if (all.length === 0) return { items: [] };
  const { organization, version } = await resolveTarget(ctx, { spaceId, revisionId });
  const found: [Named, Excerpt][] = [];
  for (const spec of distinct(all, "spec")) {
    const { last_version: content } = (await specs.find(ctx, organization, spec)) ?? {};
    const read = async () => (await textOf(ctx, content!))?.document;
    const named = all.filter((one) => one.spec === spec);
    if (content) found.push(...(await excerpts(ctx, content, named, read)));
  }
  for (const file of distinct(all, "file").slice(0, MOST_FILES)) {
    const content = await specFile(ctx, version, file);
    const named = all.filter((one) => one.file === file);
    if (content) found.push(...(await excerpts(ctx, content, named, () => specIn(ctx, content))));
  }
  return shownFrom(found);
}

const distinct = (all: Named[], name: "spec" | "file"): string[] => [
  ...new Set(all.flatMap((one) => one[name] ?? [])),
];

/** What is known of what blocks name of a document, or found in it. `content` identifies it for good. */
async function excerpts(
  ctx: Ctx,
  content: string,
  all: Named[],
  read: () => Promise<string | undefined>,
): Promise<[Named, Excerpt][]> {
  const keyOf = (named: Named) => `shown ${content} ${JSON.stringify({ ...named, spec: "", file: "" })}`;
  const known = all.map((one) => ctx.cache.get(keyOf(one))?.value as Excerpt | undefined);
  const document = known.includes(undefined) ? await read() : undefined;
  const opened = document === undefined ? undefined : await ctx.specReader.open(document);
  return all.flatMap((one, at): [Named, Excerpt][] => {
    const value = known[at] ?? (opened && excerptFor(opened, one));
    if (!value) return [];
    if (!known[at])
      ctx.cache.set(keyOf(one), { revision: content, value }, { size: 2 * JSON.stringify(value).length });
    return [[one, value]];
  });
}
