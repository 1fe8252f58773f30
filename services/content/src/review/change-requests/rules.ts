import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { accessFilter } from "../../access/filter.js";
import { auditChangeRequest } from "../../audit.js";
import { authorOf } from "../../people/author.js";
import { allowIn } from "../../permissions.js";
import { lockTarget, resolveTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Create, Get, List, ListInOrganization, Update } from "./schema.js";
import { view } from "./view.js";

/**
 * Lists the change requests of a space, the newest first; 404 for a space out of reach. A change request is a proposed
 * edit of a space: a branch that grows from a revision of its primary content.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { space } = await resolveTarget(ctx, { spaceId: input.spaceId });
  return paginate({
    query: queries.inSpace(ctx, space, input),
    by: [],
    key: "change_request.number",
    direction: "desc",
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}

/**
 * Lists the change requests in all spaces of an organization that the caller may read, the newest first; 404 to
 * strangers.
 */
export async function listInOrganization({ ctx, input }: Call<typeof ListInOrganization>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "organization.view");
  const { spaces } = await accessFilter(ctx, organization);
  return paginate({
    query: queries.inOrganization(ctx, organization, spaces, input),
    by: [{ column: "change_request.created_at", direction: "desc" }],
    key: "change_request.id",
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}

/**
 * Opens a change request on the space's active revision; 403 for who may not edit the space, 404 to strangers. Costs
 * the same whatever the space holds.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const id = newId();
  const { read } = await transact(ctx, async (ctx) => {
    const { space } = await lockTarget(ctx, { spaceId: input.spaceId }, "space.edit");
    const person = await authorOf(ctx);
    const { subject = "" } = input;
    const { number, organization } = await queries.insert(ctx, { id, space, subject, person });
    const details = { space, number, subject };
    await auditChangeRequest(ctx, "change-request.create", { id, organization }, details);
    return { read: await queries.askFor(ctx, id) };
  });
  return view(ctx)(await read());
}

/** Returns a change request by id or number to who may read its space; 404 when there is none. */
export async function get({ ctx, input }: Call<typeof Get>) {
  const { space } = await resolveTarget(ctx, { spaceId: input.spaceId });
  return view(ctx)(found(await queries.find(ctx, space, input.changeRequestId), "Change request"));
}

/**
 * Changes subject and status of a change request; 403 for who may not edit the space, 404 when there is none. What is
 * merged stays merged (400); the way there is the merge.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { space, organization, changeRequest } = await lockTarget(ctx, input, "space.edit");
    const { id } = changeRequest!;
    const { status } = await queries.lock(ctx, id);
    if (status === "merged" && input.status) refuseAt("body.status", "a merged change request stays merged");
    const row = await queries.setAndRead(ctx, id, { subject: input.subject, status: input.status });
    await queries.countStatus(ctx, space, status, input.status ?? status);
    const details = {
      space,
      ...changed({ status }, { status: input.status }),
      ...(input.subject !== undefined && { subject: input.subject }),
    };
    await auditChangeRequest(ctx, "change-request.update", { id, organization }, details);
    return view(ctx)(row);
  });
}
