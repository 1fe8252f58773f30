// Who is asked for a review of a change request, and has not given it yet.

import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { auditChangeRequest } from "../../audit.js";
import { authorOf } from "../../people/author.js";
import { meetPeople } from "../../people/queries.js";
import { lockTarget, resolveTarget } from "../../revisions/target.js";
import { headOf } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { lockUnmerged } from "../change-requests/lock-unmerged.js";
import * as changeRequests from "../change-requests/queries.js";
import * as reviews from "../reviews/queries.js";
import * as queries from "../reviews/requested.js";
import { refuseDeparted, refuseOthers } from "./candidates.js";
import type { List, Remove, Request } from "./schema.js";
import { view } from "./view.js";

/**
 * Lists the users and teams that are asked to review a change request, the first asked first; 404 when there is none.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { changeRequest } = await resolveTarget(ctx, input);
  return paginate({
    query: queries.ofChangeRequest(ctx, changeRequest!.id),
    by: [{ column: "r.created_at" }],
    key: "r.subject",
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}

/**
 * Asks people and teams for a review of what the change request is now: a draft becomes open, and their reviews of it
 * before is outdated. Asking nobody just opens it. 403 for who may not edit the space, 404 when there is no such change
 * request, 409 when the space is transferred meanwhile.
 */
export async function request({ ctx, input }: Call<typeof Request>) {
  const seen = await transact(ctx, (ctx) => lockTarget(ctx, input, "space.edit"));
  const { space, organization } = seen;
  const { id, author } = seen.changeRequest!;
  const [users, teams] = [[...new Set(input.users)], [...new Set(input.teams)]];
  const wanted = { space, organization, author, users, teams };
  const joined = await refuseOthers(ctx, wanted);
  const people = users.length > 0 ? await ctx.orgs.users(asService(ctx), users) : [];
  return transact(ctx, async (ctx) => {
    await refuseDeparted(ctx, wanted, joined);
    const now = await lockTarget(ctx, input, "space.edit");
    if (now.organization !== organization) refuse("CONFLICT", "Space: was transferred in the meantime");
    const { status } = await lockUnmerged(ctx, id, "put up for review");
    const requested_by = await authorOf(ctx);
    const { revision } = await headOf(ctx, id);
    await changeRequests.set(ctx, id, { status: "open", subject: input.subject });
    await changeRequests.countStatus(ctx, space, status, "open");
    await meetPeople(ctx, people);
    const subjects = [...users, ...teams];
    await reviews.supersede(ctx, id, subjects);
    const asked = { change_request: id, revision, requested_by, created_at: ctx.clock() };
    const rowOf = (subject: string) => ({ ...asked, subject, joined_at: joined.get(subject) ?? null });
    await queries.put(ctx, [
      ...users.map((subject) => ({ ...rowOf(subject), subject_kind: "user" as const })),
      ...teams.map((subject) => ({ ...rowOf(subject), subject_kind: "team" as const })),
    ]);
    const details = { space, users, teams, ...(input.subject !== undefined && { subject: input.subject }) };
    await auditChangeRequest(ctx, "change-request.reviewers.request", { id, organization }, details);
    const shown = (await queries.those(ctx, id, subjects)).map(view(ctx));
    const ofKind = (kind: string) => shown.filter((reviewer) => reviewer.kind === kind);
    return { users: ofKind("user"), ...(teams.length > 0 && { teams: ofKind("team") }) };
  });
}

/** What is kept of a person is what the service may know, whoever names them. */
const asService = ({ requestId, signal }: Ctx) => ({ requestId, signal });

/** Takes back the request to a user or a team; 403 for who may not edit the space. No error when there is none. */
export async function remove({ ctx, input }: Call<typeof Remove>) {
  await transact(ctx, async (ctx) => {
    const { space, organization, changeRequest } = await lockTarget(ctx, input, "space.edit");
    const { id } = changeRequest!;
    const [taken] = await queries.take(ctx, id, [input.userId]);
    if (!taken) return;
    const details = { space, [taken.subject_kind]: taken.subject };
    await auditChangeRequest(ctx, "change-request.reviewers.remove", { id, organization }, details);
  });
}
