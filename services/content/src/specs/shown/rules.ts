import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { readPage } from "../../reading/content/rules.js";
import { resolveTarget } from "../../revisions/target.js";
import type { Call, Ctx } from "../../trpc.js";
import * as specs from "../store/specs.js";
import { textOf } from "../store/versions.js";
import { excerptOf } from "./excerpt.js";
import type { OfPage, ShownOperation } from "./schema.js";

/** Operations that one page shows at most. */
const MOST = 60;

interface Named {
  spec: string;
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
  const { organization } = await resolveTarget(ctx, { spaceId, revisionId });
  const items: ShownOperation[] = [];
  for (const spec of new Set(operations.map(({ spec }) => spec)))
    items.push(
      ...(await excerpts(
        ctx,
        organization,
        spec,
        operations.filter((one) => one.spec === spec),
      )),
    );
  return { items };
}

/** The operations that blocks of a document name. */
export function operationsIn(document: JSONDocument): Named[] {
  const found = new Map<string, Named>();
  const open: unknown[] = [document.nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const { type, data } = next as { type?: unknown; data?: Record<string, unknown> };
    if (type === "openapi-operation" && data) {
      const { path, method } = data;
      const { spec } = (data.ref ?? {}) as { spec?: unknown };
      if (typeof spec === "string" && typeof path === "string" && typeof method === "string")
        found.set(JSON.stringify([spec, path, method]), { spec, path, method: method.toLowerCase() });
    }
    for (const inner of Object.values(next))
      if (typeof inner === "object" && inner !== null) open.push(inner);
  }
  return [...found.values()].reverse();
}

async function excerpts(
  ctx: Ctx,
  organization: string,
  slug: string,
  operations: Named[],
): Promise<ShownOperation[]> {
  const spec = await specs.find(ctx, organization, slug);
  if (!spec?.last_version) return [];
  const version = spec.last_version;
  const keyOf = ({ path, method }: Named) => `operation ${version} ${method} ${path}`;
  const known = operations.map((one) => ctx.cache.get(keyOf(one))?.value as ShownOperation | undefined);
  if (known.every((one) => one !== undefined)) return known;
  const kept = await textOf(ctx, version);
  if (!kept) return [];
  const document = await ctx.specReader.open(kept.document);
  return operations.flatMap((one) => {
    const found = excerptOf(document, one.path, one.method);
    if (!found) return [];
    const value = { ...one, ...found };
    ctx.cache.set(keyOf(one), { revision: version, value }, { size: 2 * JSON.stringify(value).length });
    return [value];
  });
}
