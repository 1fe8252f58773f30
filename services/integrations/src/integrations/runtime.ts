import { found } from "@octavo/shared/errors";
import type { Script } from "../runtime/runtime.js";
import * as queries from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { secretOf } from "./manifest-row.js";
import type { Integration } from "./schema.js";
import { view } from "./view.js";

/** An integration as its own script receives it. */
export interface Runtime {
  id: string;
  /** `publicContentEndpoint` is read by newer scripts; it is the same address. */
  view: Integration & { urls: { publicContentEndpoint: string } };
  organization: string;
  secrets: Record<string, string>;
  signingSecret: string;
  script: Script;
  /** Where its events go while development mode is on; `all` are those of every organization. */
  tunnel?: { url: string; all: boolean };
}

/** All that a delivery needs of an integration, also of one that was removed and has last events to deliver. */
export async function runtimeOf(ctx: Ctx, id: string): Promise<Runtime> {
  const row = found(await queries.findById(ctx, id), "Integration");
  const { secrets, signing_secret, tunnel_url, tunnel_all } = await queries.secrets(ctx, id);
  const { runtime: generation } = await queries.scriptRuntime(ctx, id);
  const integration = await view(ctx, row);
  const publicContentEndpoint = integration.urls.publicEndpoint;
  return {
    id,
    view: { ...integration, urls: { ...integration.urls, publicContentEndpoint } },
    organization: row.organization,
    secrets: JSON.parse(ctx.vault.open(secrets, secretOf("secrets", row))),
    signingSecret: ctx.vault.open(signing_secret, secretOf("signingSecret", row)),
    script: {
      key: `${id}-${row.version}`,
      generation,
      source: async () => (await queries.script(ctx, id)).source,
    },
    tunnel: tunnel_url === null ? undefined : { url: tunnel_url, all: tunnel_all },
  };
}

/** Removes for good an integration that was removed and has nothing left to deliver. */
export const forget = queries.purge;
