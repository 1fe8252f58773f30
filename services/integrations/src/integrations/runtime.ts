import { found } from "@octavo/shared/errors";
import type { Script } from "../runtime/runtime.js";
import * as queries from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { secretOf } from "./manifest-row.js";
import type { Integration } from "./schema.js";
import { viewOf } from "./view.js";

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
  const row = found(await queries.forDelivery(ctx, id), "Integration");
  const { secrets, signing_secret, tunnel_url, tunnel_all, generation } = row;
  const integration = viewOf(ctx, row, await ownerOf(ctx, row.organization));
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

/** For so long scripts receive what their publisher looked like. */
const OWNER_MS = 10_000;
const MOST_OWNERS = 1_000;

type Owner = Integration["owner"];
const owners = new WeakMap<object, Map<string, { owner: Promise<Owner>; until: number }>>();

/** Who publishes an integration, as this service sees it; asked for once in a while. */
function ownerOf(ctx: Ctx, organization: string): Promise<Owner> {
  const known = owners.get(ctx.orgs) ?? new Map<string, { owner: Promise<Owner>; until: number }>();
  owners.set(ctx.orgs, known);
  const now = ctx.clock().getTime();
  const last = known.get(organization);
  if (last && last.until > now) return last.owner;
  const own = { requestId: ctx.requestId, identity: undefined };
  const owner = ctx.orgs.organizations(own, [organization]).then(([one]) => found(one, "Owner"));
  owner.catch(() => known.delete(organization));
  known.delete(organization);
  if (known.size >= MOST_OWNERS) known.clear();
  known.set(organization, { owner, until: now + OWNER_MS });
  return owner;
}

/** Removes for good an integration that was removed and has nothing left to deliver. */
export const forget = queries.purge;
