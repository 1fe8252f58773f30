import { bearerHash, newBearer } from "@octavo/shared/bearer";
import { transact } from "@octavo/shared/database/transact";
import type { z } from "@octavo/shared/fields";
import type { Call, Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import type { Resolve, Resolved } from "./schema.js";

// A token that a script calls the interface with. It is shown once, in an environment, and lives an hour.

const LIFE_MS = 60 * 60 * 1000;

/** A new token of an integration, or of one of its installations; only its hash is kept. */
export async function mint(ctx: Ctx, of: { integration: string; installation?: string }): Promise<string> {
  const token = newBearer();
  const { integration, installation = null } = of;
  const expires_at = new Date(ctx.clock().getTime() + LIFE_MS).toISOString();
  // What it is for may be removed at this moment: the transaction is what makes a deadlock with that harmless.
  await transact(ctx, (ctx) =>
    queries.insert(ctx, { hash: bearerHash(token), integration, installation, expires_at }),
  );
  return token;
}

export async function resolve({ ctx, input }: Call<typeof Resolve>): Promise<z.output<typeof Resolved>> {
  const row = await queries.find(ctx, bearerHash(input.token));
  if (!row) return null;
  const { name: integration, owner, installation, organization, scopes, expires_at: expiresAt } = row;
  if (installation === null)
    return { kind: "integration", integration, organization: owner, scopes, expiresAt };
  return { kind: "installation", integration, installation, organization: organization!, scopes, expiresAt };
}

/** Removes the tokens that stand for nothing any more. */
export const prune = queries.dropExpired;
