import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse, refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { withStoredRole } from "../access/stored-role.js";
import { auditWebhook } from "../audit.js";
import { allowIn } from "../permissions.js";
import * as deliveries from "../store/webhook-deliveries.js";
import * as queries from "../store/webhooks.js";
import type { Call, Ctx } from "../trpc.js";
import { view as deliveryView } from "./delivery-view.js";
import { bodyOf, enqueueAll, sendAgain } from "./queue.js";
import type { Create, List, One, Replay, RotateSecret, Update } from "./schema.js";
import { newSecret, sealedFor } from "./secret.js";
import { view } from "./view.js";

// A webhook is an address that an organization has told of what happens in it. All of it is for its administrators alone:
// they may see whatever it is told of.

const MOST_WEBHOOKS = 100;
/** Deliveries that are sent again by one call. */
const MOST_REPLAYED = 1_000;
const HOUR_MS = 3_600_000;

/** Lists the webhooks of an organization; 403 for who does not administer it. */
export async function list({ ctx, input }: Call<typeof List>) {
  allowIn(ctx, input.organizationId, "webhook.admin");
  return paginate({
    query: queries.ofOrganization(ctx, input.organizationId),
    input,
    view: (rows) => rows.map((row) => view(ctx, row)),
  });
}

/** Creates a webhook and tells its secret, this once; 409 where the organization has a hundred. */
export function create({ ctx, input: { organizationId: organization, ...said } }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    await queries.holdOrganization(ctx, organization);
    await requireAdmin(ctx, organization);
    if ((await queries.count(ctx, organization)) >= MOST_WEBHOOKS)
      refuse("CONFLICT", `Webhooks: an organization has at most ${MOST_WEBHOOKS}`, { reason: "too_many" });
    const [id, secret] = [newId(), newSecret()];
    const sealed = ctx.vault.seal(secret, sealedFor({ id, organization }));
    const row = await queries.insert(ctx, { id, organization, ...said, status: "active", secret: sealed });
    await auditWebhook(ctx, "webhook.create", row, { types: said.types });
    return { ...view(ctx, row), secret };
  });
}

/** Returns a webhook; 404 for one of another organization. */
export async function get({ ctx, input }: Call<typeof One>) {
  allowIn(ctx, input.organizationId, "webhook.admin");
  return view(ctx, found(await queries.find(ctx, input.organizationId, input.webhookId), "Webhook"));
}

/** Changes, pauses or resumes a webhook. What waits for another try is given up by a pause, and can be replayed. */
export function update({ ctx, input }: Call<typeof Update>) {
  const { organizationId, webhookId, ...set } = input;
  return transact(ctx, async (ctx) => {
    const before = await lockAdministered(ctx, { organizationId, webhookId });
    const moved = set.status !== undefined && set.status !== before.status;
    const paused_at = set.status === "paused" ? ctx.clock().toISOString() : null;
    const row = await queries.update(ctx, before.id, {
      ...set,
      ...(moved && { paused_at, paused_because: null, failing_since: null }),
    });
    if (moved && row.status === "paused") await deliveries.hold(ctx, row.id);
    await auditWebhook(ctx, "webhook.update", row, changed(before, withoutAddress(set)));
    return view(ctx, row);
  });
}

/** Deletes a webhook and the log of its deliveries. No error when there is none. */
export async function remove({ ctx, input }: Call<typeof One>) {
  await transact(ctx, async (ctx) => {
    const row = await lockAdministered(ctx, input);
    await queries.remove(ctx, row.id);
    await auditWebhook(ctx, "webhook.delete", row);
  });
}

/** Gives a webhook a new secret, which it tells this once; deliveries are signed with both for some hours. */
export function rotateSecret({ ctx, input: { keepPreviousHours, ...one } }: Call<typeof RotateSecret>) {
  return transact(ctx, async (ctx) => {
    const before = await lockAdministered(ctx, one);
    const secret = newSecret();
    const until = new Date(ctx.clock().getTime() + keepPreviousHours * HOUR_MS).toISOString();
    const row = await queries.rotate(ctx, before.id, {
      secret: ctx.vault.seal(secret, sealedFor(before)),
      until: keepPreviousHours > 0 ? until : null,
    });
    await auditWebhook(ctx, "webhook.rotateSecret", row, { keepPreviousHours });
    return { ...view(ctx, row), secret };
  });
}

/** Sends an event of the type `test`, to a paused webhook too; the answer is its delivery, which may still wait. */
export function test({ ctx, input }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const webhook = await lockAdministered(ctx, input);
    const id = newId();
    const body = bodyOf(ctx, "test", { webhook: webhook.id });
    const created_at = ctx.clock().toISOString();
    const row = await deliveries.insert(ctx, {
      ...{ id, webhook: webhook.id, message: id, type: "test", body, created_at },
    });
    await enqueueAll(ctx, webhook.id, [id]);
    await auditWebhook(ctx, "webhook.test", webhook);
    return deliveryView(ctx, webhook, row);
  });
}

/**
 * Sends again, in its order, what a webhook was or would have been sent in a time, a thousand deliveries a call; 409
 * while it is paused.
 */
export function replay({ ctx, input: { from, to, status, ...one } }: Call<typeof Replay>) {
  if (from >= to) refuseAt("body.to", "must lie after `from`");
  return transact(ctx, async (ctx) => {
    const webhook = await lockAdministered(ctx, one);
    requireActive(webhook);
    const rows = await deliveries.between(ctx, webhook.id, { from, to, status }, MOST_REPLAYED + 1);
    const chosen = rows.slice(0, MOST_REPLAYED);
    await sendAgain(ctx, webhook.id, chosen);
    await auditWebhook(ctx, "webhook.replay", webhook, { from, to, deliveries: chosen.length });
    const next = rows[MOST_REPLAYED];
    return { replayed: chosen.length, ...(next && { next: { from: next.created_at } }) };
  });
}

/** 409 for a webhook that is paused. */
export function requireActive({ status }: queries.Row): void {
  if (status === "paused") refuse("CONFLICT", "Webhook: is paused", { reason: "webhook_paused" });
}

/** A webhook, held until the end of the transaction, for who administers its organization then. */
export async function lockAdministered(
  ctx: Ctx,
  { organizationId, webhookId }: { organizationId: string; webhookId: string },
): Promise<queries.Row> {
  const row = await queries.lock(ctx, organizationId, webhookId);
  await requireAdmin(ctx, organizationId);
  return found(row, "Webhook");
}

async function requireAdmin(ctx: Ctx, organization: string): Promise<void> {
  allowIn(await withStoredRole(ctx, organization), organization, "webhook.admin");
}

/** The path of an address may be a secret by itself: the audit tells that it changed, and not to what. */
const withoutAddress = ({ url: _, ...rest }: { url?: string } & Record<string, unknown>) => rest;
