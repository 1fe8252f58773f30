import * as queries from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import type { Installation } from "./schema.js";
import { views } from "./view.js";

/** An installation as the script of its integration receives it. */
export interface Described {
  view: Installation;
  organization: string;
  signingSecret: string;
}

/** For what the signing secret of an installation is sealed. */
export const signingSecretOf = ({ id, organization }: { id: string; organization: string }) => ({
  kind: "installation.signingSecret",
  id,
  organization,
});

/** All that deliveries need of installations, by id, also of those that were just removed; what is gone is left out. */
export async function describedOf(ctx: Ctx, ids: string[]): Promise<Map<string, Described>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.forDelivery(ctx, ids);
  const shown = await views(ctx, rows);
  const described = rows.map((row, at) => ({
    view: shown[at]!,
    organization: row.organization,
    signingSecret: ctx.vault.open(row.signing_secret, signingSecretOf(row)),
  }));
  return new Map(described.map((one) => [one.view.id, one]));
}

/** Removes for good an installation that was removed, once its integration was notified. */
export const forget = queries.purge;

export const at = queries.at;
