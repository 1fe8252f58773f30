import * as queries from "../store/content-installations.js";
import type { Ctx } from "../trpc.js";
import { plainView, type View } from "./view.js";

/** An installation on one space or site as the script of its integration receives it. */
export interface DescribedContent {
  kind: queries.Kind;
  view: View;
  signingSecret: string;
}

/** For what the signing secret of such an installation is sealed. */
export const signingSecretOf = ({ id, organization }: { id: string; organization: string }) => ({
  kind: "contentInstallation.signingSecret",
  id,
  organization,
});

/** All that deliveries need of them, by id, also of those that were just removed; what is gone is left out. */
export async function describedOf(ctx: Ctx, ids: string[]): Promise<Map<string, DescribedContent>> {
  const rows = ids.length === 0 ? [] : await queries.forDelivery(ctx, ids);
  const described = rows.map((row): [string, DescribedContent] => [
    row.id,
    {
      kind: row.kind,
      view: plainView(ctx, row.name, row),
      signingSecret: ctx.vault.open(row.signing_secret, signingSecretOf(row)),
    },
  ]);
  return new Map(described);
}

/** Removes for good one that was removed, once its integration was notified. */
export const forget = queries.purge;
