import { WebhookPaused } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { EgressError } from "@octavo/shared/egress/client";
import { emit } from "@octavo/shared/events/outbox";
import { auditWebhook } from "../audit.js";
import { jsonb } from "../db/jsonb.js";
import * as queries from "../store/webhook-deliveries.js";
import * as webhooks from "../store/webhooks.js";
import type { Ctx } from "../trpc.js";
import { enqueueAll } from "./queue.js";
import { sealedFor, signedHeaders } from "./secret.js";

const TIMEOUT_MS = 15_000;
const SHOWN_BYTES = 16_384;
const SHOWN_CHARACTERS = 500;
const FIRST_MS = 5_000;
const FACTOR = 4;
const HOUR_MS = 3_600_000;
const LONGEST_MS = 12 * HOUR_MS;
/** How long a delivery is tried, and how long a webhook may fail until it is paused. */
const PATIENCE_MS = 72 * HOUR_MS;
const GONE = 410;

/** The attempt of one delivery: any 2xx is success. */
type Attempt = queries.Attempt;

/**
 * Sends a delivery to its webhook and records what came of it: the next try is part of the same transaction. When the
 * process dies in between, it is sent again, under the same id.
 */
export async function send(ctx: Ctx, id: string): Promise<void> {
  const delivery = await queries.waiting(ctx, id);
  const webhook = delivery && (await webhooks.byId(ctx, delivery.webhook));
  if (!webhook) return;
  const attempt = await attemptOf(ctx, webhook, delivery);
  await transact(ctx, async (ctx) => {
    const now = await webhooks.lockById(ctx, webhook.id);
    const row = await queries.waiting(ctx, id);
    if (now && row) await recordAttempt(ctx, now, row, attempt);
  });
}

async function attemptOf(
  ctx: Ctx,
  webhook: webhooks.Sealed,
  { message, body }: queries.Row,
): Promise<Attempt> {
  const began = ctx.clock();
  const at = began.toISOString();
  const headers = {
    "content-type": "application/json",
    ...signedHeaders(secretsOf(ctx, webhook, began), message, body, began),
  };
  try {
    const response = await ctx.egress.fetch(webhook.url, {
      method: "POST",
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      signal: ctx.signal,
      maxBytes: SHOWN_BYTES,
    });
    const bytes = await response.bytes().catch(() => Buffer.alloc(0));
    const text = bytes.toString("utf8").replaceAll("\0", "").slice(0, SHOWN_CHARACTERS);
    return { at, status: response.status, ...(text && { response: text }) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { at, error: error.message.slice(0, SHOWN_CHARACTERS) };
  }
}

function secretsOf(ctx: Ctx, webhook: webhooks.Sealed, now: Date): string[] {
  const { secret, previous_secret: previous, previous_until: until } = webhook;
  const both = previous !== null && until !== null && new Date(until) > now ? [secret, previous] : [secret];
  return both.map((sealed) => ctx.vault.open(sealed, sealedFor(webhook)));
}

async function recordAttempt(
  ctx: Ctx,
  webhook: webhooks.Row,
  delivery: queries.Row,
  attempt: Attempt,
): Promise<void> {
  const attempts = jsonb([...delivery.attempts, attempt]);
  const { id } = delivery;
  if (attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300) {
    await queries.end(ctx, id, { status: "success", attempts });
    return webhooks.noteSuccess(ctx, webhook.id);
  }
  // A test says how things are, and changes nothing.
  if (delivery.type === "test") return queries.end(ctx, id, { status: "failed", attempts });
  const now = ctx.clock();
  const next = new Date(now.getTime() + pauseAfter(delivery.attempts.length));
  const isLast = next.getTime() > Date.parse(delivery.created_at) + PATIENCE_MS;
  if (isLast || webhook.status === "paused") await queries.end(ctx, id, { status: "failed", attempts });
  else {
    await queries.postpone(ctx, id, { next: next.toISOString(), attempts });
    await enqueueAll(ctx, webhook.id, [id], next);
  }
  await noteFailure(ctx, webhook, attempt, now);
}

async function noteFailure(ctx: Ctx, webhook: webhooks.Row, { status }: Attempt, now: Date): Promise<void> {
  if (webhook.status === "paused") return;
  const since = webhook.failing_since ?? now.toISOString();
  const isLasting = now.getTime() - Date.parse(since) >= PATIENCE_MS;
  if (status !== GONE && !isLasting) return webhooks.noteFailure(ctx, webhook.id, since);
  const because = status === GONE ? ("gone" as const) : ("failing" as const);
  const paused = { status: "paused" as const, paused_at: now.toISOString(), paused_because: because };
  await webhooks.update(ctx, webhook.id, { ...paused, failing_since: since });
  await queries.hold(ctx, webhook.id);
  const { id, organization } = webhook;
  await emit(ctx, WebhookPaused, id, { webhook: id, organization, because });
  await auditWebhook(ctx, "webhook.pause", webhook, { because });
}

/** Grows by four from try to try, up to half a day, and differs by a fifth: what failed together is not sent together. */
const pauseAfter = (tried: number): number =>
  Math.min(FIRST_MS * FACTOR ** tried, LONGEST_MS) * (0.8 + Math.random() * 0.4);

/** Postpones a delivery that we could not send for a reason of our own; its receiver has no part in that. */
export async function sendLater(ctx: Ctx, id: string): Promise<void> {
  const delivery = await queries.waiting(ctx, id);
  if (!delivery) return;
  const next = new Date(ctx.clock().getTime() + HOUR_MS);
  await transact(ctx, (ctx) => enqueueAll(ctx, delivery.webhook, [id], next));
}
