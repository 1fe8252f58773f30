import { transact } from "@octavo/shared/database/transact";
import * as queries from "../store/injected-scripts.js";
import { bumpVersions } from "../store/sites.js";
import type { Call } from "../trpc.js";
import type { Replace } from "./schema.js";

// Integrations are above sites: they hand down which scripts they put into pages, for the profiles of published sites.

/**
 * Keeps what an installation puts into pages, in place of what it did before; with a range, that of the sites with ids in
 * it alone. A site that shows other scripts from then on has another version.
 */
export async function replace({ ctx, input }: Call<typeof Replace>) {
  const { installation, organization, script } = input;
  await transact(ctx, async (ctx) => {
    const before = await queries.lock(ctx, installation);
    if (!script) {
      if (!before) return;
      await queries.remove(ctx, installation);
      return bumpVersions(ctx, organization);
    }
    const { contentSecurityPolicy, ...rest } = script;
    const row = {
      installation,
      organization,
      ...rest,
      content_security_policy: contentSecurityPolicy ?? null,
    };
    const isOther = await queries.put(ctx, row);
    const sites = await queries.replacePlaces(ctx, input);
    await bumpVersions(ctx, organization, isOther ? undefined : sites);
  });
}
