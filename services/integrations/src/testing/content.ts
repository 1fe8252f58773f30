import type { ContentRouter } from "@octavo/content/client";
import type { BaseContext } from "@octavo/shared/context";
import type { Level } from "@octavo/shared/contracts/roles";
import { newId } from "@octavo/shared/ids";
import { serveRouter } from "@octavo/shared/testing/service";
import { standInSpaces } from "@octavo/shared/testing/spaces";
import { standInFor } from "@octavo/shared/testing/stand-in";
import { createApi } from "@octavo/shared/trpc";
import { standInComputed } from "./computed.js";
import { around, type Roles } from "./identities.js";

/** Stands in for content over HTTP: spaces in memory, identities verified as everywhere, roles as they are stored. */
export async function startContent({ rolesOf }: { rolesOf: (user: string) => Roles | undefined }) {
  const { router } = createApi<BaseContext<never>>();
  const { kept, asked, lookup, standing } = standInSpaces(rolesOf);
  const computed = standInComputed();
  const api = standInFor<ContentRouter>()(
    router({
      spaces: router({ lookup }),
      audience: router({ standing }),
      computed: router(computed.procedures),
    }),
  );
  const { log, urls, verifier } = around;
  const base = { urls, log, clock: () => new Date() };
  const server = await serveRouter({ name: "content", router: api, verifier, base, log });
  return {
    url: server.url,
    /** The ids of each look-up so far. */
    asked,
    /** A new space; returns its id. */
    space: (organization: string, level?: Level): string => {
      const id = newId();
      kept.set(id, { id, organization, level });
      return id;
    },
    /** What is to be computed, and what was. */
    computed,
    end: server.close,
  };
}
