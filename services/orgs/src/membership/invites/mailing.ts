import { refuse, refuseAll } from "@octavo/shared/errors";
import * as emailVerification from "../../accounts/email-verification/rules.js";
import { enqueueEmails } from "../../mail/enqueue.js";
import type { Ctx } from "../../trpc.js";
import { inviteEmail } from "./email.js";
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

/** An invite as its email describes it. */
interface Mailed {
  person: string;
  email: string;
  /** Where the address stands in the request. */
  path: string;
  url: string;
  code?: string;
}

/** Sends invites to an organization, where there is mail; 429 with everybody who was sent enough letters within the hour. */
export async function mail(ctx: Ctx, organization: string, all: Mailed[], expiresAt: string): Promise<void> {
  if (!ctx.mailer || all.length === 0) return;
  const people = all.map(({ person, email }) => ({ person, email }));
  const counted = await emailVerification.countLetters(ctx, people);
  refusePestered(all.filter(({ person }) => !counted.has(person)));
  const inviter = ctx.caller.kind === "user" ? ctx.caller.name : organization;
  const letters = all.map(({ email: to, url, code }) =>
    inviteEmail(ctx, { to, inviter, organization, url, code }),
  );
  await enqueueEmails(ctx, letters, expiresAt);
}

function refusePestered(all: Mailed[]) {
  const message = "was sent too many letters within an hour";
  const issues = all.map(({ path }) => ({ path, message }));
  refuseAll(issues, { code: "TOO_MANY_REQUESTS", reason: "too_many_letters" });
}
