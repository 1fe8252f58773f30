import { createAudit, type Deed } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

const audit = createAudit<Ctx>("content");

/** What a record is about: the thing's id, and the organization whose administrators read of it. */
interface Owned {
  id: string;
  organization: string;
}

const auditOf =
  <Thing extends string>(type: string) =>
  (ctx: Ctx, action: `${Thing}.${string}`, { id, organization }: Owned, details?: Deed["details"]) =>
    audit(ctx, { organization, action, target: { type, id }, details });

// Each of them records a write inside its transaction.
export const auditSpace = auditOf<"space">("space");
export const auditCollection = auditOf<"collection">("collection");
export const auditChangeRequest = auditOf<"change-request">("change-request");
export const auditComment = auditOf<"comment">("comment");
export const auditCommentReply = auditOf<"comment-reply">("comment-reply");
