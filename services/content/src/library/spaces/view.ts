import type { Space } from "@octavo/shared/contracts/schemas/space";
import { levelOn, mayView } from "../../access/level.js";
import type { Row } from "../../access/spaces.js";
import { BY_INTEGRATION } from "../../access/visibility.js";
import { seesEditLink, shownRevision } from "../../access/visitor.js";
import { flagsOf, permits, plannedFlagsOf } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import { editView, syncView } from "./sync-view.js";

export const view = (ctx: Ctx) => {
  const { caller, urls } = ctx;
  return (row: Row): Space => {
    const level = levelOn(caller, row);
    return {
      object: "space",
      id: row.id,
      title: row.title,
      emoji: row.emoji,
      visibility: row.visibility,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      deletedAt: row.deleted_at ?? undefined,
      editMode: row.edit_mode,
      urls: {
        location: urls.api`/spaces/${row.id}`,
        app: urls.app`/s/${row.id}`,
        published: row.published ?? undefined,
        public: (row.visibility === "public" && row.published) || undefined,
        icon: row.icon ?? undefined,
      },
      organization: row.organization,
      language: row.language ?? undefined,
      visitorAuth: visitorAuthOf(row.visitor_backend),
      revision: shownRevision(caller, row, level),
      ...(permits(level, "space.access") ? workOf(row) : NO_WORK),
      ...(row.git && seesEditLink(caller, row.id) && mayView(caller, row) && { gitSync: editView(row.git) }),
      permissions: {
        ...flagsOf(level, "space"),
        ...plannedFlagsOf(level, "space"),
        view: mayView(caller, row),
      },
    };
  };
};

/** How visitors of a space sign in; a backend that is an integration needs its name. */
function visitorAuthOf(backend: string | null) {
  const integration = backend?.startsWith(BY_INTEGRATION) && backend.slice(BY_INTEGRATION.length);
  if (integration) return { backend: "integration" as const, integration };
  return backend === "custom" ? { backend: "custom" as const } : undefined;
}

/** What those who work in the space know of it. */
const workOf = (row: Row) => ({
  parent: row.parent ?? undefined,
  gitSync: row.git ? syncView(row.git) : undefined,
  defaultLevel: row.default_level,
  comments: row.comments,
  changeRequests: row.change_requests,
  changeRequestsOpen: row.change_requests_open,
  changeRequestsDraft: row.change_requests_draft,
});

/** The same for everybody else, who views it because it is public. */
const NO_WORK = {
  defaultLevel: null,
  ...{ comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 },
};
