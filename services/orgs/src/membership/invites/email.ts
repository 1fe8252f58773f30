import { createHash, randomBytes } from "node:crypto";
import type { Email } from "../../network/mailer.js";
import type { Ctx } from "../../trpc.js";

/** A code that is good for one invite, and what is kept of it. */
export function newInviteCode(): { code: string; secret: Buffer } {
  const code = randomBytes(32).toString("base64url");
  return { code, secret: secretOf(code) };
}

/** SHA-256 of the code of an invite. */
export const secretOf = (code: string): Buffer => createHash("sha256").update(code).digest();

interface Invitation {
  to: string;
  /** Who invites, and to what. */
  inviter: string;
  organization: string;
  /** Where the invite is accepted with a token. */
  url: string;
  /** Absent for single sign-on. */
  code?: string;
}

/** The letter that brings an invite. */
export function inviteEmail({ urls }: Ctx, { to, url, code, ...named }: Invitation): Email {
  const [inviter, organization] = [plain(named.inviter), plain(named.organization)];
  const how = code
    ? `To accept, exchange this code for a token of yours, once and within 14 days:

    POST ${urls.api`/sso/exchange`}
    {"code": "${code}"}

Whoever has the code can act as you: pass it on to nobody. With a token that you have already, accept by

    POST ${url}`
    : "To accept, sign in through the identity provider of the organization, within 14 days.";
  return {
    to,
    subject: `${inviter} invites you to ${organization}`,
    text: `Hello,

${inviter} invites you to the organization ${organization}.

${how}

If you do not know what this is about, there is nothing to do.
`,
  };
}

const LONGEST = 100;

/** What users wrote, on one line. */
const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST);
