import { randomBytes } from "node:crypto";
import { onConstraint, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { Ctx } from "../trpc.js";

/** What a row gets as it is inserted: its id, and a secret that signs the deliveries to its integration, sealed. */
interface Signed {
  id: string;
  signing_secret: string;
}

interface Kept<New, Row> {
  insert: (ctx: Ctx, row: New & Signed) => Promise<Row>;
  /** For what the secret is sealed. */
  secretOf: (row: New & { id: string }) => Parameters<Ctx["vault"]["seal"]>[1];
  /** The constraint by which there is one, and the message when there is one already. */
  once: string;
  taken: string;
}

/** Inserts an installation with a new id and a signing secret of its own; 409 where there is one already. */
export async function insertSigned<New, Row>(
  ctx: Ctx,
  row: New,
  { insert, secretOf, once, taken }: Kept<New, Row>,
): Promise<Row> {
  const own = { ...row, id: newId() };
  const secret = randomBytes(32).toString("base64url");
  try {
    return await insert(ctx, { ...own, signing_secret: ctx.vault.seal(secret, secretOf(own)) });
  } catch (error) {
    onConstraint(error, once, () => refuse("CONFLICT", taken, { reason: "already_installed" }));
    throw error;
  }
}
