import { refuse } from "@octavo/shared/errors";
import * as emailVerification from "../email-verification/rules.js";
import { post } from "../mail/post.js";
import type { Ctx } from "../trpc.js";
import { letterWith } from "./letter.js";
import * as queries from "./queries.js";

const DAY_MS = 24 * 3_600_000;
const MOST_A_DAY = 1_000;

/** 429 for more invites in a day than an organization may send: the letters go out in the operator's name. */
export async function refuseFlood(ctx: Ctx, organization: string, letters: number): Promise<void> {
  if (!ctx.mailer) return;
  const since = new Date(ctx.clock().getTime() - DAY_MS).toISOString();
  const sent = await queries.countSince(ctx, organization, since, MOST_A_DAY);
  if (sent + letters <= MOST_A_DAY) return;
  const what = `Invite: an organization sends ${MOST_A_DAY} letters within a day at most`;
  refuse("TOO_MANY_REQUESTS", what, { reason: "too_many_letters" });
}

interface Mailed {
  person: string;
  email: string;
  /** Where the address stands in the request. */
  path: string;
  title: string;
  url: string;
  code?: string;
  expiresAt: string;
}

/** Sends an invite, where there is mail; 429 for somebody who was sent enough letters within the hour. */
export async function mail(
  ctx: Ctx,
  { person, email, path, title, expiresAt, ...rest }: Mailed,
): Promise<void> {
  if (!ctx.mailer) return;
  if (!(await emailVerification.countLetter(ctx, { person, email }))) {
    const message = "was sent too many letters within an hour";
    const issues = [{ path, message }];
    refuse("TOO_MANY_REQUESTS", `${path}: ${message}`, { reason: "too_many_letters", issues });
  }
  const inviter = ctx.caller.kind === "user" ? ctx.caller.name : title;
  await post(ctx, letterWith(ctx, { to: email, inviter, organization: title, ...rest }), expiresAt);
}
