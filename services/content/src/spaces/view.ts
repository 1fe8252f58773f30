import { can } from "@octavo/shared/access";
import type { Space } from "@octavo/shared/schemas/space";
import { levelOn } from "../access/level.js";
import { syncView } from "../git/view.js";
import type { Ctx } from "../trpc.js";
import { NEEDS } from "./permissions.js";
import type { Row } from "./queries.js";

export const view =
  ({ caller, urls }: Ctx) =>
  (row: Row): Space => ({
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
    parent: row.parent ?? undefined,
    language: row.language ?? undefined,
    gitSync: row.git ? syncView(row.git) : undefined,
    revision: row.revision,
    defaultLevel: row.default_level,
    comments: row.comments,
    changeRequests: row.change_requests,
    changeRequestsOpen: row.change_requests_open,
    changeRequestsDraft: row.change_requests_draft,
    permissions: can(levelOn(caller, row), NEEDS),
  });
