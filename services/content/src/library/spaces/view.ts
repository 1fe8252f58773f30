import type { Level } from "@octavo/shared/contracts/roles";
import type { Space } from "@octavo/shared/contracts/schemas/space";
import { levelOn, mayView } from "../../access/level.js";
import type { Row } from "../../access/spaces.js";
import { BY_INTEGRATION } from "../../access/visibility.js";
import { seesEditLink, shownRevision } from "../../access/visitor.js";
import { flagsOf, permits, plannedFlagsOf } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import { editView, syncView } from "./sync-view.js";

// As one literal without spreads: lists show many, and what is put together of others takes much longer to make.
export const view = (ctx: Ctx) => {
  const { caller, urls } = ctx;
  return (row: Row): Space => {
    const level = levelOn(caller, row);
    const isViewed = mayView(caller, row);
    /** Those who work in the space know more of it than everybody else, who views it because it is public. */
    const works = permits(level, "space.access");
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
      parent: (works && row.parent) || undefined,
      gitSync: gitSyncOf(row, works, isViewed && seesEditLink(caller, row.id)),
      defaultLevel: works ? row.default_level : null,
      comments: works ? row.comments : 0,
      changeRequests: works ? row.change_requests : 0,
      changeRequestsOpen: works ? row.change_requests_open : 0,
      changeRequestsDraft: works ? row.change_requests_draft : 0,
      permissions: permissionsAt(level, isViewed),
    };
  };
};

/** The connection to a repository: all of it for who works in the space, of it where pages are edited for some visitors. */
function gitSyncOf({ git }: Row, works: boolean, seesLink: boolean) {
  if (!git) return undefined;
  if (seesLink) return editView(git);
  return works ? syncView(git) : undefined;
}

const shown = new Map<string, Space["permissions"]>();

/** What a level permits; few are possible. */
function permissionsAt(level: Level, view: boolean): Space["permissions"] {
  const key = `${level} ${view}`;
  let flags = shown.get(key);
  if (!flags) {
    flags = { ...flagsOf(level, "space"), ...plannedFlagsOf(level, "space"), view };
    shown.set(key, Object.freeze(flags));
  }
  return flags;
}

/** How visitors of a space sign in; a backend that is an integration needs its name. */
function visitorAuthOf(backend: string | null) {
  const integration = backend?.startsWith(BY_INTEGRATION) && backend.slice(BY_INTEGRATION.length);
  if (integration) return { backend: "integration" as const, integration };
  return backend === "custom" ? { backend: "custom" as const } : undefined;
}
