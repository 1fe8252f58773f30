import { transact } from "@octavo/shared/database/transact";
import { refuseAll } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { lockSite } from "../../access/load-site.js";
import { auditSite } from "../../audit.js";
import * as queries from "../../store/redirects.js";
import { bumpVersion } from "../../store/sites.js";
import type { Call } from "../../trpc.js";
import { refuseCircles, refuseFull } from "../limits.js";
import { keyOf } from "../paths.js";
import type { ImportMany } from "../schema.js";
import { columnsOf } from "../view.js";

/**
 * Creates up to 500 redirects to paths and addresses, and changes those that lead from the same sources already; all of
 * them or none. 400 for one onto itself and for a source that is named twice, with every place; 403 for who may not create
 * in the organization, 404 for strangers or an unknown site, 409 for a circle, and above 10,000 redirects.
 */
export async function importMany({ ctx, input: { redirects, ...one } }: Call<typeof ImportMany>) {
  const given = redirects.map(({ source, destination }) => ({
    source,
    source_key: keyOf(source),
    ...columnsOf(destination),
  }));
  const keys = given.map(({ source_key }) => source_key);
  refuseRepeated(keys);
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, one, "site.manageRedirects");
    const stored = await queries.fromSources(ctx, site.id, keys);
    const before = new Map(stored.map((row) => [row.source_key, row]));
    const rows = given.map((row) => ({
      ...row,
      id: before.get(row.source_key)?.id ?? newId("siterd"),
      site: site.id,
    }));
    const created = rows.length - before.size;
    if (created > 0) await refuseFull(ctx, site, created);
    await refuseCircles(ctx, site, rows, (at) => `body.redirects.${at}.destination`);
    const changed = rows.filter((row) => !isSame(row, before.get(row.source_key)));
    const counts = {
      created,
      updated: changed.length - created,
      unchanged: rows.length - changed.length,
    };
    if (changed.length === 0) return counts;
    await queries.putAll(ctx, changed);
    await bumpVersion(ctx, site.id);
    await auditSite(ctx, "site.redirect.import", site, counts);
    return counts;
  });
}

function refuseRepeated(keys: string[]): void {
  const first = new Map<string, number>();
  refuseAll(
    keys.flatMap((key, at) => {
      const other = first.get(key);
      if (other === undefined) first.set(key, at);
      const path = `body.redirects.${at}.source`;
      return other === undefined ? [] : [{ path, message: `is the source of redirects.${other} as well` }];
    }),
  );
}

type Shown = Pick<queries.Row, "source" | "kind" | "address">;

const isSame = (row: Shown, stored: Shown | undefined) =>
  row.source === stored?.source && row.kind === stored.kind && row.address === stored.address;
