import * as queries from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import type { Installation } from "./schema.js";
import { view } from "./view.js";

/** An installation as the script of its integration receives it. */
export interface Described {
  view: Installation;
  organization: string;
  signingSecret: string;
}

/** For what the signing secret of an installation is sealed. */
export const signingSecretOf = ({ id, organization }: { id: string; organization: string }) => ({
  kind: "installation.signingSecret",
  ...{ id, organization },
});

/** All that a delivery needs of an installation, also of one that was just removed; undefined when it is gone. */
export async function describedOf(
  ctx: Ctx,
  integrationName: string,
  id: string,
): Promise<Described | undefined> {
  const row = await queries.forDelivery(ctx, id);
  if (!row) return undefined;
  const { signing_secret } = row;
  return {
    view: await view(ctx, integrationName, row),
    organization: row.organization,
    signingSecret: ctx.vault.open(signing_secret, signingSecretOf(row)),
  };
}

/** Removes for good an installation that was removed, once its integration was notified. */
export const forget = queries.purge;

export const at = queries.at;
