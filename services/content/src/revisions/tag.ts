import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Level } from "@octavo/shared/contracts/roles";
import { isKnownTag, NOT_MODIFIED } from "@octavo/shared/rest/not-modified";
import { permits } from "../permissions.js";
import type { Ctx } from "../trpc.js";

/** Another build may write a response in another way. */
const BUILD = process.env.OCTAVO_BUILD ?? String(statSync(new URL(import.meta.url)).mtimeMs);
const A_YEAR = "private, max-age=31536000, immutable";
const ASK_AGAIN = "private, no-cache";

/** The revision that is read, and what the caller may do with its space. */
interface Resolved {
  level: Level;
  version: { revision: string };
}

/**
 * Tags the response to a read of content by its revision, at which it is the same for good for callers of one kind; a client
 * that has it gets 304, before anything of the content is read. Who named the revision may keep the response, and who
 * asked for what is current asks again. Whoever calls has resolved the target for the caller just now; `besides` says what
 * else the response is made of.
 *
 * @throws NOT_MODIFIED when the client has the response.
 */
export function tagRevision(
  ctx: Ctx,
  { level, version }: Resolved,
  isNamed: boolean,
  besides?: string,
): void {
  const { caller, requested, reply } = ctx;
  if (requested === undefined) return;
  // Visitors see less than those who may read the space, and what their claims and the site's consent to edit links decide.
  const { claims, edited } =
    caller.kind === "reader"
      ? { claims: caller.claims, edited: caller.editLink && caller.space }
      : { claims: undefined, edited: undefined };
  const kind = permits(level, "space.access") ? "member" : { claims, edited };
  const basis = JSON.stringify([BUILD, ctx.urls.api`/`, requested.url, version.revision, kind, besides]);
  const etag = `"${createHash("sha256").update(basis).digest("base64url").slice(0, 22)}"`;
  Object.assign(reply.headers, {
    etag,
    "cache-control": isNamed ? A_YEAR : ASK_AGAIN,
    vary: "authorization",
  });
  if (isKnownTag(requested.ifNoneMatch, etag)) throw NOT_MODIFIED;
}

/** Takes the tag of a response back, because a later one may be better. */
export function untag({ reply }: Pick<Ctx, "reply">): void {
  for (const name of ["etag", "cache-control", "vary"]) delete reply.headers[name];
}
