import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { readBytes } from "@octavo/shared/rest/body";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import { syncSoon } from "../../revisions/keep-in-step.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "../sync-queries.js";

/** Largest webhook of a push, in bytes. */
const LARGEST = 256 * 1024;

export const WEBHOOK = {
  method: "POST",
  path: "/spaces/{spaceId}/git/webhook",
  name: "gitSync.receivePush",
  limit: "address",
  openapi: {
    operationId: "receiveGitPush",
    summary: "Receive a push to the branch that a space is kept in step with",
    status: 204,
  },
} satisfies RawDeclaration;

/**
 * Receives the webhook of a push. What was pushed is looked up at the repository, so all that the body is good for is
 * its signature. 403 without a right one, and for a space that is kept in step with nothing.
 */
export const webhookRoute = (context: () => Ctx): RawRoute => ({
  ...WEBHOOK,
  handle: async (req, res, { spaceId }) => {
    const ctx = context();
    const body = await readBytes(req, LARGEST);
    const row = await queries.find(ctx, spaceId!);
    const secret = row && ctx.vault.open(row.secret, queries.secretOf(row.space));
    if (!secret || !isSigned(req.headers, body, secret))
      refuse("FORBIDDEN", "Webhook: not signed with the secret of this space");
    await transact(ctx, (ctx) => syncSoon(ctx, row!.space, 0));
    res.writeHead(204).end();
  },
});

/** GitHub and Gitea sign the body, GitLab sends the secret itself. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  const header = (name: string) => [headers[name]].flat()[0];
  return (
    equal(header("x-hub-signature-256"), `sha256=${digest}`) ||
    equal(header("x-gitea-signature"), digest) ||
    equal(header("x-gitlab-token"), secret)
  );
}

function equal(one: string | undefined, other: string): boolean {
  if (one === undefined) return false;
  const [a, b] = [one, other].map((text) => createHmac("sha256", "octavo").update(text).digest());
  return timingSafeEqual(a!, b!);
}
