import { auditOf, createAudit } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

const audit = createAudit<Ctx>("content");

// Each of them records a write inside its transaction.
export const auditSpace = auditOf(audit, "space");
export const auditCollection = auditOf(audit, "collection");
export const auditChangeRequest = auditOf(audit, "change-request");
export const auditComment = auditOf(audit, "comment");
export const auditSpec = auditOf(audit, "openapi-spec");
export const auditUpload = auditOf(audit, "storage-upload");
export const auditTranslation = auditOf(audit, "translation");
export const auditGlossary = auditOf(audit, "glossary");
export const auditCommentReply = auditOf(audit, "comment-reply");
