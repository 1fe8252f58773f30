import type { ContentRouter } from "@octavo/content/client";
import type { BaseContext } from "@octavo/shared/context";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { noContent } from "@octavo/shared/contracts/fields";
import { space } from "@octavo/shared/contracts/schemas/space";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { serveRouter } from "@octavo/shared/testing/service";
import { type StandInSpace, standInSpaces } from "@octavo/shared/testing/spaces";
import { standInFor } from "@octavo/shared/testing/stand-in";
import type { Surroundings } from "@octavo/shared/testing/surroundings";
import { createApi } from "@octavo/shared/trpc";
import { z } from "zod";
import type { UploadedFont } from "../content/content.js";

type Ctx = BaseContext<never>;

export interface Kept extends StandInSpace {
  title: string;
  /** Titles of its pages. */
  pages?: string[];
  /** Paths of its pages, by their ids. */
  paths?: Record<string, string>;
  /** Paths that pages had, and those that they have. */
  moved?: Record<string, string>;
}

const { router, internal, service, shown, del } = createApi<Ctx>();
type Guard = ReturnType<typeof standInSpaces<Kept>>["allowIn"];

/** Change requests that only insert pages. */
function changeRequests(spaces: Map<string, Kept>, allowIn: Guard) {
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
        id,
        title: path,
        path,
        urls: { app },
        ancestors: ancestors.map((title) => ({ id: title, title })),
        sections: [
          { id: "more", title: "More", path: `${path}#more`, body: "…", urls: { app: `${app}#more` } },
        ],
      };
    });
}

const atRevision = { spaceId: z.string(), revisionId: z.string(), metadata: z.boolean() };
const pageWithPath = z.object({ type: z.enum(["document", "group"]), path: z.string() });
const anyPage = z.union([pageWithPath, z.object({ type: z.enum(["link", "computed"]) })]);

/** Stands in for the content service over HTTP: spaces in memory, identities verified as everywhere. */
export async function startContent({ verifier, urls, log }: Surroundings) {
  const searched: string[][] = [];
  const changedRoles = new Map<string, UserCaller["organizations"]>();
  const { kept, asked, allowIn, view, isReadable, lookup, standing } = standInSpaces<Kept>((user) =>
    changedRoles.get(user),
  );
  const uploads: (UploadedFont & { organization: string })[] = [];
  const pageOf = (ctx: Ctx, spaceId: string, pageId: string) => {
    const row = kept.get(spaceId);
    const path = row && isReadable(ctx, row) ? row.paths?.[pageId] : undefined;
    return { type: "document" as const, path: found(path, "Page") };
  };
  const api = standInFor<ContentRouter>()(
    router({
      spaces: router({
        lookup,
        heads: service("sites")
          .input(z.object({ ids: z.array(z.string()).max(1000) }))
          .output(z.array(z.object({ id: z.string(), organization: z.string(), revision: z.string() })))
          .query(({ input: { ids } }) => {
            const rows = ids.flatMap((id) => kept.get(id) ?? []).filter(({ deleted }) => !deleted);
            return rows.map(({ id, organization, revision = id }) => ({ id, organization, revision }));
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
          .output(anyPage)
          .query(({ ctx, input: { spaceId, pageId } }) => pageOf(ctx, spaceId, pageId)),
      }),
      revisionContent: router({
        page: internal({})
          .input(z.object({ ...atRevision, pageId: z.string() }))
          .output(anyPage)
          .query(({ ctx, input: { spaceId, pageId } }) => pageOf(ctx, spaceId, pageId)),
      }),
      shownPages: router({
        locate: service("sites")
          .input(
            z.object({
              spaceId: z.string(),
              revisionId: z.string(),
              path: z.string().max(2048),
              claims: z.record(z.string(), z.unknown()).optional(),
            }),
          )
          .output(z.object({ pageId: z.string(), path: z.string() }))
          .query(({ input: { spaceId, path } }) => {
            const { paths = {}, moved = {} } = kept.get(spaceId) ?? {};
            const isThere = Object.values(paths).some((one) => one === path || one.startsWith(`${path}/`));
            return { pageId: path, path: found(isThere ? path : moved[path], "Page") };
          }),
      }),
      storage: router({
        take: internal({})
          .input(z.object({ organizationId: z.string(), keys: z.array(z.string()).min(1).max(100) }))
          .mutation(({ ctx, input: { organizationId, keys } }) => {
            allowIn(ctx, organizationId, "organization.createContent");
            return uploads
              .filter(({ organization, key }) => organization === organizationId && keys.includes(key))
              .map(({ key, url, format }) => ({ key, url, format }));
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
              .filter((row) => isReadable(ctx, row))
              .map((row) => ({ id: row.id, title: row.title, pages: pagesFound(ctx, row, query) }))
              .filter(({ pages }) => pages.length > 0);
            return { items, count: items.length };
          }),
      }),
      changeRequests: changeRequests(kept, allowIn),
      audience: router({
        hears: service("sites")
          .input(z.object({ event: z.string() }))
          .output(z.boolean())
          .query(() => true),
        digest: shown({})
          .output(z.string())
          .query(() => JSON.stringify([...kept.values()])),
        standing,
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
    /** Fonts that were uploaded, and for whom. */
    uploads,
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
