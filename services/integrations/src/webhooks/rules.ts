import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { auditWebhook } from "../audit.js";
import { allowIn } from "../permissions.js";
import * as deliveries from "../store/webhook-deliveries.js";
import * as queries from "../store/webhooks.js";
import type { Call } from "../trpc.js";
import { lockAdministered, requireAdmin } from "./access.js";
import type { Create, List, One, RotateSecret, Update } from "./schema.js";
import { newSecret, sealedFor } from "./secret.js";
import { view } from "./view.js";

// A webhook is an address that an organization subscribes to its events. All of it is for its administrators alone:
// they may see whatever it receives.

const MOST_WEBHOOKS = 100;
const HOUR_MS = 3_600_000;

/** Lists the webhooks of an organization; 403 for who does not administer it, 404 for strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  allowIn(ctx, input.organizationId, "webhook.admin");
  return paginate({
    query: queries.ofOrganization(ctx, input.organizationId),
    input,
    view: (rows) => rows.map((row) => view(ctx, row)),
  });
}

/**
 * Creates a webhook and returns its secret, this once; 409 where the organization has a hundred, 403 for who does not
 * administer it, 404 for strangers.
 */
export function create({ ctx, input: { organizationId: organization, ...fields } }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    await queries.holdOrganization(ctx, organization);
    await requireAdmin(ctx, organization);
    if ((await queries.count(ctx, organization)) >= MOST_WEBHOOKS)
      refuse("CONFLICT", `Webhooks: an organization has at most ${MOST_WEBHOOKS}`, { reason: "too_many" });
    const [id, secret] = [newId(), newSecret()];
    const sealed = ctx.vault.seal(secret, sealedFor({ id, organization }));
    const row = await queries.insert(ctx, { id, organization, ...fields, status: "active", secret: sealed });
    await auditWebhook(ctx, "webhook.create", row, { types: fields.types });
    return { ...view(ctx, row), secret };
  });
}

/** Returns a webhook; 404 for one of another organization, 403 for who does not administer this one. */
export async function get({ ctx, input }: Call<typeof One>) {
  allowIn(ctx, input.organizationId, "webhook.admin");
  return view(ctx, found(await queries.find(ctx, input.organizationId, input.webhookId), "Webhook"));
}

/**
 * Changes, pauses or resumes a webhook; 403 for who does not administer the organization, 404 for one out of reach. What
 * waits for another try is given up by a pause, and can be replayed.
 */
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

/**
 * Deletes a webhook and the log of its deliveries; 403 for who does not administer the organization. No error when there is
 * none.
 */
export async function remove({ ctx, input }: Call<typeof One>) {
  await transact(ctx, async (ctx) => {
    const row = await lockAdministered(ctx, input);
    await queries.remove(ctx, row.id);
    await auditWebhook(ctx, "webhook.delete", row);
  });
}

/**
 * Gives a webhook a new secret, which it returns this once; deliveries are signed with both for some hours. 403 for who does
 * not administer the organization, 404 for a webhook out of reach.
 */
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

/** The path of an address may be a secret by itself: the audit records that it changed, and not to what. */
const withoutAddress = ({ url: _, ...rest }: { url?: string } & Record<string, unknown>) => rest;
