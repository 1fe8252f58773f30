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

/**
 * All that deliveries need of integrations, by id, also of those that were removed and have last events to deliver. What is
 * gone is left out.
 */
export async function runtimesOf(ctx: Ctx, ids: string[]): Promise<Map<string, Runtime>> {
  const rows = await queries.forDelivery(ctx, ids);
  const runtimes = await Promise.all(rows.map((row) => runtimeOf(ctx, row)));
  return new Map(runtimes.map((runtime) => [runtime.id, runtime]));
}

async function runtimeOf(ctx: Ctx, row: queries.ForDelivery): Promise<Runtime> {
  const { id, secrets, signing_secret, tunnel_url, tunnel_all, generation } = row;
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
      source: () => sourceOf(ctx, id, row.version),
    },
    tunnel: tunnel_url === null ? undefined : { url: tunnel_url, all: tunnel_all },
  };
}

/** Characters of sources that are remembered. */
const MOST_CHARACTERS = 16_000_000;
const sources = new WeakMap<object, Map<string, string>>();

/** The source of a version of a script; that of the present one where it has been replaced meanwhile. */
async function sourceOf(ctx: Ctx, id: string, version: number): Promise<string> {
  const known = sources.get(ctx.runtime) ?? new Map<string, string>();
  sources.set(ctx.runtime, known);
  const key = `${id}-${version}`;
  const last = known.get(key);
  if (last !== undefined) return last;
  const { source, version: current } = await queries.script(ctx, id);
  if (current === version) remember(known, key, source);
  return source;
}

function remember(known: Map<string, string>, key: string, source: string): void {
  known.set(key, source);
  let characters = 0;
  for (const text of known.values()) characters += text.length;
  for (const [oldest, text] of known) {
    if (characters <= MOST_CHARACTERS) return;
    known.delete(oldest);
    characters -= text.length;
  }
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

/** Removes for good those of some integrations that were removed and have nothing left to deliver. */
export async function forget(ctx: Ctx, ids: string[]): Promise<void> {
  for (const id of await queries.retiredAmong(ctx, ids)) await queries.purge(ctx, id);
}
