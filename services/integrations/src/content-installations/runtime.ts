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
  ...{ id, organization },
});

/** All that a delivery needs of it, also of one that was just removed; undefined when it is gone. */
export async function describedOf(
  ctx: Ctx,
  integrationName: string,
  id: string,
): Promise<DescribedContent | undefined> {
  const row = await queries.findById(ctx, id);
  return (
    row && {
      kind: row.kind,
      view: plainView(ctx, integrationName, row),
      signingSecret: ctx.vault.open(row.signing_secret, signingSecretOf(row)),
    }
  );
}

/** Removes for good one that was removed, once its integration was notified. */
export const forget = queries.purge;
