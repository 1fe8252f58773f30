// Letters wait in the job queue, sealed, until the SMTP server has taken them.

import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { defineJob } from "@octavo/shared/jobs/define";
import { enqueueAll } from "@octavo/shared/jobs/enqueue";
import { createJobHandler } from "@octavo/shared/jobs/handle";
import { z } from "zod";
import { type Email, isUndeliverable, type Mailer } from "../network/mailer.js";
import type { Ctx } from "../trpc.js";

/** The pauses between ten tries come to about nine hours. */
const sendLetter = defineJob(
  "mail.send",
  z.object({ id: z.string(), sealed: z.string(), expiresAt: z.string() }),
  { attempts: 10 },
);

/** 501 while the operator has set up no mail. */
export function needMail({ mailer }: Ctx): Mailer {
  if (mailer) return mailer;
  refuse("NOT_IMPLEMENTED", "Mail: is not set up here; the operator has to set SMTP_URL and MAIL_FROM", {
    reason: "mail_not_configured",
  });
}

const letterOf = (id: string) => ({ kind: "letter", id });

/** Sends emails once the transaction commits, unless that takes until they are worth nothing any more. */
export async function enqueueEmails(ctx: Ctx, emails: Email[], expiresAt: string): Promise<void> {
  const parcels = emails.map((letter) => {
    const id = newId();
    return { id, sealed: ctx.vault.seal(JSON.stringify(letter), letterOf(id)), expiresAt };
  });
  await enqueueAll(ctx, sendLetter, parcels);
}

/** How emails are sent: at least once, and with the same id if it should be twice. */
export const jobHandlers = [
  createJobHandler<Ctx>()(sendLetter, async ({ ctx, payload: { id, sealed, expiresAt } }) => {
    if (Date.parse(expiresAt) <= ctx.clock().getTime()) return;
    try {
      await needMail(ctx).send(JSON.parse(ctx.vault.open(sealed, letterOf(id))), id);
    } catch (error) {
      if (!isUndeliverable(error)) throw error;
      ctx.log.warn(
        { letter: id, code: responseCodeOf(error) },
        "the mail server takes no letter for a recipient",
      );
    }
  }),
];

const responseCodeOf = (error: unknown) => (error as { responseCode: number }).responseCode;
