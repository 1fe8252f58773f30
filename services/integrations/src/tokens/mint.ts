import { bearerHash, newIntegrationBearer } from "@octavo/shared/bearer";
import { transact } from "@octavo/shared/database/transact";
import * as queries from "../store/tokens.js";
import type { Ctx } from "../trpc.js";

// A token that a script calls the interface with. It is shown once, in an environment, and lives an hour.

const LIFE_MS = 60 * 60 * 1000;
/** An environment is handed the same token for so long: what it gets is good for forty minutes at least. */
const HANDED_OUT_MS = 20 * 60 * 1000;
const MOST_REMEMBERED = 10_000;

/** What a token is for: an integration, or one of its installations. */
interface Bearer {
  integration: string;
  installation?: string;
}

/** Creates tokens of integrations, or of their installations, at once; only their hashes are kept. */
export async function mint<Of extends Bearer[]>(ctx: Ctx, ...of: Of): Promise<{ [At in keyof Of]: string }> {
  const tokens = of.map(() => newIntegrationBearer()) as { [At in keyof Of]: string };
  const expires_at = new Date(ctx.clock().getTime() + LIFE_MS).toISOString();
  const rows = of.map(({ integration, installation = null }, at) => ({
    hash: bearerHash(tokens[at]!),
    integration,
    installation,
    expires_at,
  }));
  // What it is for may be removed at this moment: the transaction is what makes a deadlock with that harmless.
  await transact(ctx, (ctx) => queries.insert(ctx, rows));
  return tokens;
}

const handedOut = new WeakMap<object, Map<string, { token: string; until: number }>>();

/**
 * Returns the token of each of these for their environments: that of the last events while it is good for long enough, else
 * a new one.
 */
export async function tokensFor(ctx: Ctx, of: Bearer[]): Promise<(one: Bearer) => string> {
  const known = handedOut.get(ctx.vault) ?? new Map<string, { token: string; until: number }>();
  handedOut.set(ctx.vault, known);
  const now = ctx.clock().getTime();
  const keyOf = ({ integration, installation = "" }: Bearer) => `${integration} ${installation}`;
  const lastOf = (one: Bearer) => {
    const last = known.get(keyOf(one));
    return last && last.until > now ? last : undefined;
  };
  const missing = [...new Map(of.map((one) => [keyOf(one), one])).values()].filter((one) => !lastOf(one));
  const minted = missing.length > 0 ? await mint(ctx, ...missing) : [];
  for (const [at, one] of missing.entries()) {
    known.delete(keyOf(one));
    known.set(keyOf(one), { token: minted[at]!, until: now + HANDED_OUT_MS });
  }
  const tokens = new Map(of.map((one) => [keyOf(one), known.get(keyOf(one))!.token]));
  for (const oldest of known.keys()) {
    if (known.size <= MOST_REMEMBERED) break;
    known.delete(oldest);
  }
  return (one) => tokens.get(keyOf(one))!;
}
