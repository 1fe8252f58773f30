import { TRPCError } from "@trpc/server";

/**
 * The header of a long response whose tag stands for its bytes: the gateway may keep the body, and send it to whom the
 * service confirms the tag.
 */
export const REUSABLE_HEADER = "x-octavo-reusable";

/** Ends a read whose response the client has: 304 with the headers of the reply, over REST alone. */
class NotModified extends TRPCError {
  constructor() {
    super({ code: "PRECONDITION_FAILED", message: "Not modified" });
    this.name = "NotModified";
  }
}

/** The only one there is: nothing failed, so nobody looks at where it came from, which would take time to note. */
export const NOT_MODIFIED = new NotModified();

/**
 * Returns whether the client names this strong tag (RFC 9110, 13.1.2). `*` names none: it is asked before it is known
 * whether there is anything.
 */
export function isKnownTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag);
}
