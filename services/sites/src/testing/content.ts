import type { ContentRouter } from "@octavo/content/client";
import { createGuards } from "@octavo/shared/access";
import type { BaseContext } from "@octavo/shared/context";
import { type Caller, roleIn, type UserCaller } from "@octavo/shared/contracts/callers";
import { noContent } from "@octavo/shared/contracts/fields";
import { ORGANIZATION_PERMISSIONS } from "@octavo/shared/contracts/permissions";
import { atLeast, type Level } from "@octavo/shared/contracts/roles";
import { type Space, space } from "@octavo/shared/contracts/schemas/space";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { serveRouter } from "@octavo/shared/testing/service";
import { standInFor } from "@octavo/shared/testing/stand-in";
import type { Surroundings } from "@octavo/shared/testing/surroundings";
import { createApi } from "@octavo/shared/trpc";
import { z } from "zod";

type Ctx = BaseContext<never>;

export interface Kept {
  id: string;
  title: string;
  organization: string;
  /** Titles of its pages. */
  pages?: string[];
  /** Paths of its pages, by their ids. */
  paths?: Record<string, string>;
  /** What members below an administrator may do; their role in the organization when absent. */
  level?: Level;
  deleted?: boolean;
  /** Its current revision; its id when absent. */
  revision?: string;
}

const { allowIn, flagsOf } = createGuards({
  ...ORGANIZATION_PERMISSIONS,
  "space.view": "read",
  "space.access": "read",
  "space.comment": "comment",
  "space.edit": "edit",
  "space.review": "review",
  "space.merge": "review",
  "space.admin": "create",
  "space.viewInviteLinks": "create",
  "space.triggerGitSync": "create",
  "space.installIntegration": "create",
});

const { router, internal, shown, del } = createApi<Ctx>();

/** Change requests that only insert pages. */
function changeRequests(spaces: Map<string, Kept>) {
  const drafts = new Map<string, string[]>();
  const one = { spaceId: z.string(), changeRequestId: z.string() };
  const page = z.object({
    operation: z.literal("insert_page"),
    title: z.string().min(1),
    document: z.object({ markdown: z.string() }),
  });
  return router({
    create: internal({})
      .input(z.object({ spaceId: z.string(), subject: z.string() }))
      .mutation(({ ctx, input: { spaceId } }) => {
        allowIn(ctx, spaces.get(spaceId)!.organization, "space.edit");
        const id = newId();
        drafts.set(id, []);
        return { id };
      }),
    edit: internal({})
      .input(z.object({ ...one, changes: z.array(page) }))
      .mutation(({ input }) => {
        drafts.get(input.changeRequestId)!.push(...input.changes.map(({ title }) => title));
        return {};
      }),
    merge: internal({})
      .input(z.object(one))
      .mutation(({ ctx, input: { spaceId, changeRequestId } }) => {
        const row = spaces.get(spaceId)!;
        allowIn(ctx, row.organization, "space.merge");
        if (row.title === "Unmergeable") refuse("CONFLICT", "Change request: cannot be merged");
        row.pages = drafts.get(changeRequestId)!;
        return { result: "merge" };
      }),
  });
}

/** Pages whose path has the words, each with a section. */
function pagesFound({ urls }: Ctx, { id: space, paths = {} }: Kept, query: string) {
  return Object.entries(paths)
    .filter(([, path]) => path.includes(query))
    .map(([id, path]) => {
      const app = urls.app`/s/${space}/${id}`;
      const ancestors = path.split("/").slice(0, -1);
      return {
        ...{ id, title: path, path, urls: { app } },
        ancestors: ancestors.map((title) => ({ id: title, title })),
        sections: [
          { id: "more", title: "More", path: `${path}#more`, body: "…", urls: { app: `${app}#more` } },
        ],
      };
    });
}

/** Stands in for the content service over HTTP: spaces in memory, identities verified as everywhere. */
export async function startContent({ verifier, urls, log }: Surroundings) {
  const kept = new Map<string, Kept>();
  const asked: string[][] = [];
  const searched: string[][] = [];
  const changedRoles = new Map<string, UserCaller["organizations"]>();
  const asStored = (caller: Caller): Caller =>
    caller.kind === "user"
      ? { ...caller, organizations: changedRoles.get(caller.id) ?? caller.organizations }
      : caller;
  const levelOf = ({ caller }: Ctx, { organization, level }: Kept): Level => {
    // What sites show is not kept here: a visitor sees all of the organization.
    if (caller.kind === "reader") return caller.organization === organization ? "read" : undefined;
    const role = roleIn(caller, organization);
    return role === undefined || role === "admin" || level === undefined ? role : level;
  };
  const view = (ctx: Ctx, row: Kept): Space => ({
    object: "space",
    id: row.id,
    title: row.title,
    emoji: "",
    visibility: "private",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    urls: { location: ctx.urls.api`/spaces/${row.id}`, app: ctx.urls.app`/s/${row.id}` },
    organization: row.organization,
    revision: row.revision ?? row.id,
    defaultLevel: "inherit",
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: flagsOf(levelOf(ctx, row), "space"),
  });
  const api = standInFor<ContentRouter>()(
    router({
      spaces: router({
        lookup: shown({})
          .input(z.object({ ids: z.array(z.string()).max(1000) }))
          .output(z.array(space))
          .query(({ ctx, input: { ids } }) => {
            asked.push(ids);
            const rows = ids.flatMap((id) => kept.get(id) ?? []).filter(({ deleted }) => !deleted);
            return rows.filter((row) => atLeast(levelOf(ctx, row), "read")).map((row) => view(ctx, row));
          }),
        createOnce: internal({})
          .input(z.object({ organizationId: z.string(), title: z.string().max(50), id: z.string() }))
          .output(space)
          .mutation(({ ctx, input: { organizationId, title, id } }) => {
            allowIn(ctx, organizationId, "organization.createContent");
            const row: Kept = kept.get(id) ?? { id, title, organization: organizationId };
            kept.set(row.id, row);
            return view(ctx, row);
          }),
        remove: del("/spaces/{spaceId}", { summary: "Move a space to the trash" })
          .input(z.object({ spaceId: z.string() }))
          .output(noContent)
          .mutation(({ input: { spaceId } }) => {
            const row = kept.get(spaceId);
            if (row) row.deleted = true;
          }),
      }),
      content: router({
        page: internal({})
          .input(z.object({ spaceId: z.string(), pageId: z.string(), metadata: z.boolean() }))
          .output(
            z.union([
              z.object({ type: z.enum(["document", "group"]), path: z.string() }),
              z.object({ type: z.enum(["link", "computed"]) }),
            ]),
          )
          .query(({ ctx, input: { spaceId, pageId } }) => {
            const row = kept.get(spaceId);
            const isReadable = row && !row.deleted && atLeast(levelOf(ctx, row), "read");
            const path = isReadable ? row.paths?.[pageId] : undefined;
            return { type: "document" as const, path: found(path, "Page") };
          }),
      }),
      search: router({
        inSpaces: shown({})
          .input(
            z.object({
              organizationId: z.string(),
              spaces: z.array(z.string()).max(1000),
              query: z.string(),
              page: z.string().optional(),
              limit: z.number(),
            }),
          )
          .query(({ ctx, input: { spaces, query } }) => {
            searched.push(spaces);
            const rows = spaces.flatMap((id) => kept.get(id) ?? []);
            const items = rows
              .filter((row) => !row.deleted && atLeast(levelOf(ctx, row), "read"))
              .map((row) => ({ id: row.id, title: row.title, pages: pagesFound(ctx, row, query) }))
              .filter(({ pages }) => pages.length > 0);
            return { items, count: items.length };
          }),
      }),
      changeRequests: changeRequests(kept),
      audience: router({
        standing: internal({})
          .input(z.object({ organizationId: z.string(), spaces: z.array(z.string()).max(1000) }))
          .query(({ ctx, input: { organizationId, spaces } }) => {
            const now = { ...ctx, caller: asStored(ctx.caller) };
            allowIn(now, organizationId, "organization.view");
            const rows = spaces.flatMap((id) => kept.get(id) ?? []);
            const undecided = rows
              .filter(({ organization }) => organization === organizationId)
              .map((row) => ({ row, level: levelOf(now, row) }))
              .filter(({ level }) => !atLeast(level, "create"))
              .map(({ row, level }) => ({ id: row.id, readable: !row.deleted && atLeast(level, "read") }));
            return { role: roleIn(now.caller, organizationId) ?? null, undecided };
          }),
      }),
    }),
  );
  const base = { urls, log, clock: () => new Date() };
  const server = await serveRouter({ name: "content", router: api, verifier, base, log });
  return {
    url: server.url,
    /** The ids of each look-up so far. */
    asked,
    /** The ids of the spaces of each search so far. */
    searched,
    spaces: kept,
    /** Roles that somebody has since their identity was signed. */
    changedRoles,
    space: (given: Partial<Kept> & { organization: string }): Kept => {
      const row = { id: newId(), title: "Guide", ...given };
      kept.set(row.id, row);
      return row;
    },
    stop: server.close,
  };
}
