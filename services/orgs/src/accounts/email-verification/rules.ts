// A person proves that an e-mail address is theirs by a code that is sent to it.

import { timingSafeEqual } from "node:crypto";
import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { refuse, refuseAt } from "@octavo/shared/errors";
import { boundTo, forgetIdentity } from "../../access/identity.js";
import { auditUser } from "../../audit/audit.js";
import { enqueueEmails, needMail } from "../../mail/enqueue.js";
import type { Call, Ctx } from "../../trpc.js";
import * as tokens from "../tokens/issue.js";
import * as users from "../users/accounts.js";
import { codeHash, newCode } from "./code.js";
import { verificationEmail } from "./email.js";
import * as queries from "./queries.js";
import type { Confirm, Get, Send } from "./schema.js";

const CODE_MS = 15 * 60_000;
const COUNTED_MS = 3_600_000;
/** To one person, invites included. */
const MOST_LETTERS = 5;
const MOST_TRIES = 5;

/** Returns whether one's own address is confirmed; 403 for a service, 409 for an account without an address. */
export async function get({ ctx }: Call<typeof Get>) {
  const { email, emailVerified } = await addressee(ctx);
  return { email, status: emailVerified ? ("verified" as const) : ("pending" as const) };
}

/**
 * Sends a code to the address of the caller, whoever made the token in use: only who reads the mail can go on. 403 for
 * a service, 409 when it is confirmed already and the token reaches everything, 429 after some codes, 501 without mail.
 */
export function send({ ctx }: Call<typeof Send>) {
  return transact(ctx, async (ctx) => {
    const { id, email, emailVerified } = await addressee(ctx);
    needMail(ctx);
    if (emailVerified && (await boundTo(ctx)) === null) {
      refuse("CONFLICT", "E-mail address: is verified already", { reason: "already_verified" });
    }
    const code = newCode();
    const expiresAt = new Date(ctx.clock().getTime() + CODE_MS).toISOString();
    await noteCode(ctx, { person: id, email, hash: codeHash(code), expires_at: expiresAt });
    await enqueueEmails(ctx, [verificationEmail(code, email)], expiresAt);
    await record(ctx, "user.email.sendCode", id);
    return { email, expiresAt };
  });
}

/**
 * Confirms the address by the code, once. A caller whose token is bound to an organization, since somebody else made
 * it, is given one that is not: who reads the person's mail is the person. Scopes and end stay what they are. 400 for a
 * code that is wrong, used or too old, 403 for a service, 409 for an account without an address, 501 without mail.
 */
export async function confirm({ ctx, input: { code } }: Call<typeof Confirm>) {
  const { id } = await addressee(ctx);
  needMail(ctx);
  const hash = codeHash(code);
  const limits = { now: ctx.clock().toISOString(), most: MOST_TRIES };
  // A try counts even though what follows is refused.
  const tried = await queries.countTry(ctx, id, limits);
  if (!tried?.hash || !timingSafeEqual(tried.hash, hash)) refuseCode();
  return transact(ctx, async (ctx) => {
    if (!(await queries.use(ctx, id, hash))) refuseCode();
    if (!(await users.confirm(ctx, id, tried.email))) refuseCode();
    await record(ctx, "user.email.verify", id);
    forgetIdentity(ctx, id);
    return { email: tried.email, status: "verified" as const, token: await freed(ctx) };
  });
}

/** A token of the caller's own in place of one that is bound, which it does not outlive. */
async function freed(ctx: Ctx) {
  if ((await boundTo(ctx)) === null) return undefined;
  const { expires_at } = await tokens.originOf(ctx, userOf(ctx).token);
  return tokens.makeOwn(ctx, "Verified e-mail", expires_at);
}

/** Counts a letter to each of these that brings no such code; returns to whom, as the others were sent enough. */
export const countLetters = (ctx: Ctx, to: { person: string; email: string }[]): Promise<Set<string>> =>
  queries.count(ctx, to, limitsOf(ctx));

function limitsOf({ clock }: Ctx) {
  const now = clock();
  const before = new Date(now.getTime() - COUNTED_MS);
  return { now: now.toISOString(), before: before.toISOString(), most: MOST_LETTERS };
}

async function noteCode(ctx: Ctx, code: Parameters<typeof queries.note>[1]) {
  const limits = limitsOf(ctx);
  if (await queries.note(ctx, code, limits)) return;
  const { since } = await queries.since(ctx, code.person);
  const wait = Math.max(1, Math.ceil((Date.parse(since) - Date.parse(limits.before)) / 1_000));
  refuse(
    "TOO_MANY_REQUESTS",
    `Code: ${MOST_LETTERS} letters were sent within an hour; try again in ${wait} seconds`,
    {
      reason: "too_many_codes",
      headers: { "retry-after": String(wait) },
    },
  );
}

/** An address is its user's own affair, and no organization's. */
const record = (ctx: Ctx, action: `user.email.${string}`, id: string) =>
  auditUser(ctx, action, { id, organization: null });

/** The caller, who has an address; service accounts have none. */
async function addressee(ctx: Ctx) {
  const account = await users.account(ctx, userOf(ctx).id);
  const { email } = account;
  if (email === undefined) {
    refuse("CONFLICT", "E-mail address: the account has none", { reason: "no_email" });
  }
  return { ...account, email };
}

function refuseCode(): never {
  const message = "is not the code that was sent last, was used, tried too often, or is too old";
  refuseAt("body.code", message, { reason: "invalid_code" });
}
