import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { readPage } from "../../reading/content/rules.js";
import { resolveTarget } from "../../revisions/target.js";
import { specFile, specIn } from "../../spec-files/read.js";
import type { Call, Ctx } from "../../trpc.js";
import * as specs from "../store/specs.js";
import { textOf } from "../store/versions.js";
import { type Excerpt, excerptOf } from "./excerpt.js";
import type { OfPage, ShownOperation } from "./schema.js";

/** Operations that one page shows at most. */
const MOST = 60;

/** Files of specifications that one page shows operations of at most. */
const MOST_FILES = 5;

/** An operation, of the specification that a block names, or of the file of the space that holds it. */
interface Named {
  spec?: string;
  file?: string;
  path: string;
  method: string;
}

/**
 * The operations that the blocks of a page name, each with all that it refers to, as whoever reads the page is shown it:
 * of a specification nothing is disclosed but what the page shows. What is not there is left out. 404 for a page that is not.
 */
export async function ofPage({ ctx, input }: Call<typeof OfPage>): Promise<{ items: ShownOperation[] }> {
  const { spaceId, revisionId } = input;
  const flags = { format: "document", evaluated: "true", metadata: false, computed: true } as const;
  // Of the page's revision the page alone is immutable: what specifications say of it goes on.
  const { output: shown } = await readPage(ctx, input, { ...input, ...flags });
  const document = "document" in shown ? (shown.document as JSONDocument | undefined) : undefined;
  const operations = document ? operationsIn(document).slice(0, MOST) : [];
  if (operations.length === 0) return { items: [] };
  const { organization, version } = await resolveTarget(ctx, { spaceId, revisionId });
  const items: ShownOperation[] = [];
  for (const spec of distinct(operations, "spec")) {
    const { last_version: content } = (await specs.find(ctx, organization, spec)) ?? {};
    const read = async () => (await textOf(ctx, content!))?.document;
    const named = operations.filter((one) => one.spec === spec);
    if (content) items.push(...(await excerpts(ctx, content, named, read)));
  }
  for (const file of distinct(operations, "file").slice(0, MOST_FILES)) {
    const content = await specFile(ctx, version, file);
    const named = operations.filter((one) => one.file === file);
    if (content) items.push(...(await excerpts(ctx, content, named, () => specIn(ctx, content))));
  }
  return { items };
}

const distinct = (operations: Named[], name: "spec" | "file"): string[] => [
  ...new Set(operations.flatMap((one) => one[name] ?? [])),
];

/** The operations that blocks of a document name. */
export function operationsIn(document: JSONDocument): Named[] {
  const found = new Map<string, Named>();
  const open: unknown[] = [document.nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const { type, data } = next as { type?: unknown; data?: Record<string, unknown> };
    if ((type === "openapi-operation" || type === "swagger") && data) {
      const { path, method } = data;
      const of = specOf((data.ref ?? {}) as Record<string, unknown>);
      if (of && typeof path === "string" && typeof method === "string")
        found.set(JSON.stringify([of, path, method]), { ...of, path, method: method.toLowerCase() });
    }
    for (const inner of Object.values(next))
      if (typeof inner === "object" && inner !== null) open.push(inner);
  }
  return [...found.values()].reverse();
}

function specOf({ kind, spec, file }: Record<string, unknown>): Pick<Named, "spec" | "file"> | undefined {
  if (typeof spec === "string") return { spec };
  return kind === "file" && typeof file === "string" ? { file } : undefined;
}

/** What is known of operations of a document, or found in it. `content` identifies it for good. */
async function excerpts(
  ctx: Ctx,
  content: string,
  operations: Named[],
  read: () => Promise<string | undefined>,
): Promise<ShownOperation[]> {
  const keyOf = ({ path, method }: Named) => `operation ${content} ${method} ${path}`;
  const known = operations.map((one) => ctx.cache.get(keyOf(one))?.value as Excerpt | undefined);
  const document = known.includes(undefined) ? await read() : undefined;
  const opened = document === undefined ? undefined : await ctx.specReader.open(document);
  return operations.flatMap((one, at) => {
    const value = known[at] ?? (opened && excerptOf(opened, one.path, one.method));
    if (!value) return [];
    if (!known[at])
      ctx.cache.set(keyOf(one), { revision: content, value }, { size: 2 * JSON.stringify(value).length });
    return [{ ...one, ...value }];
  });
}
