import { bearerHash } from "@octavo/shared/bearer";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import type { z } from "zod";
import { auditInstallation } from "../audit.js";
import { levelOn } from "../installations/access.js";
import type { One } from "../installations/schema.js";
import { allow } from "../permissions.js";
import * as installations from "../store/installations.js";
import * as queries from "../store/tokens.js";
import type { Call } from "../trpc.js";
import { mint } from "./mint.js";
import { reachesOf } from "./reach.js";
import type { Resolve, Resolved } from "./schema.js";

// What tokens of integrations stand for, and those that integrations ask for themselves.

/**
 * Creates a token of an installation, for the integration itself to work with; 403 for people, who have tokens of their
 * own, and for a token of an installation, which would prolong itself for ever, 404 when there is no such installation.
 */
export async function create({ ctx, input }: Call<typeof One>) {
  const { integrationName, installationId } = input;
  const row = found(await installations.find(ctx, integrationName, installationId), "Installation");
  allow(levelOn(ctx, row), "installation.view", "Installation");
  const { caller } = ctx;
  if (caller.kind !== "integration" || caller.installation !== undefined) {
    refuse("FORBIDDEN", "Caller: a token of the integration itself is needed");
  }
  const { integration, id } = row;
  return transact(ctx, async (ctx) => {
    const [token] = await mint(ctx, { integration, installation: id });
    const details = { token: idOf(bearerHash(token)) };
    await auditInstallation(ctx, "installation.token.create", row, details);
    return { token };
  });
}

/** Identifies a token, and says nothing else about it. */
const idOf = (hash: Buffer) => hash.toString("hex").slice(0, 20);

/** What every integration may see and change of itself; `integration:update` is for a token of the integration. */
const OWN = ["integration:read", "integration:installation:read", "integration:installation:update"];

/**
 * Returns the integration that a token stands for, with what it reaches; null for a token that is unknown or has
 * ended.
 */
export async function resolve({ ctx, input }: Call<typeof Resolve>): Promise<z.output<typeof Resolved>> {
  const hash = bearerHash(input.token);
  const row = await queries.find(ctx, hash);
  if (!row) return null;
  const { name: integration, owner, installation, organization, expires_at: expiresAt } = row;
  const caller = {
    kind: "integration" as const,
    integration,
    installation: installation ?? undefined,
    organization: organization ?? owner,
    scopes: [...OWN, ...(installation ? [] : ["integration:update"]), ...scopesOf(row)],
    ...(installation && (await reachesOf(ctx, { ...row, installation }, input))),
    token: idOf(hash),
  };
  return { caller, expiresAt };
}

/**
 * The declared scopes that an installation has while it is active: where it is installed elsewhere, those that somebody
 * there has accepted, so that a new version takes no more by itself.
 */
function scopesOf({ status, scopes, accepted_scopes: accepted, owner, organization }: queries.Found) {
  if (status !== "active") return [];
  return accepted === null || owner === organization
    ? scopes
    : scopes.filter((scope) => accepted.includes(scope));
}

/** Removes the tokens that stand for nothing any more. */
export const prune = queries.dropExpired;
