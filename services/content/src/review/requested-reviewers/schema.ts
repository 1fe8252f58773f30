import { id, listOf, paging, text, timestamp, user } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** Most people, and most teams, that one request asks. */
const MOST = 50;
const target = { spaceId: id, changeRequestId: id };
const subjects = z.array(id).max(MOST);

const base = {
  object: z.literal("change-request-requested-reviewer"),
  revision: z.string(),
  requestedBy: user,
  createdAt: timestamp,
};
const team = z.object({ object: z.literal("team"), id: z.string() }).meta({ id: "Team" });
const RequestedReviewer = z
  .discriminatedUnion("kind", [
    z.object({ ...base, kind: z.literal("user"), user }),
    z.object({ ...base, kind: z.literal("team"), team }),
  ])
  .meta({ id: "ChangeRequestRequestedReviewer" });

export const List = z.object({ ...target, ...paging });
export const Listed = listOf(RequestedReviewer);
export const Request = z.object({
  ...target,
  users: subjects,
  /** Any member of a team may review for it. */
  teams: subjects.default([]),
  subject: text(100).optional(),
});
export const Requested = z
  .object({
    users: z.array(RequestedReviewer),
    teams: z.array(RequestedReviewer).optional(),
  })
  .meta({ id: "RequestedReviewers" });
/** `userId` is also the id of a team. */
export const Remove = z.object({ ...target, userId: id });
