import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitPrimary } from "../revisions/primary.js";
import { contentTest } from "../testing/content.js";
import { genericReads, plannedAnew } from "../testing/generic-plans.js";
import { keepBodies } from "./bodies.js";
import { type Entry, lockBranch } from "./version.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Call = (caller: typeof admin) => Promise<unknown>;

const GROUPS = 100;
const PAGES = 99;
/** Far below the pages of the space, and more than any operation has a reason to read in one statement. */
const FEW = 350;

let spaceId: string;
let changeRequestId: string;

/**
 * A space of 10,000 pages, some of which refer to each other, with a thousand change requests of one edit: most branches
 * hold one entry, and one thousands.
 */
beforeAll(async () => {
  await prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log });
  spaceId = await t.space();
  await t.ctx.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const put: Entry[] = [];
    for (let at = 0; at < GROUPS; at++) put.push(await group(ctx, at));
    const head = await lockBranch(ctx, spaceId);
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });
  await sql`insert into entry (branch, id, from_seq, kind, parent, position, slug, title, body, git_path, git_oid, props)
    select branch, id || '-' || n, from_seq, kind, id, 'a0' || lpad(n::text, 5, '0') || '5', 'page-' || n,
      'Page ' || n, body, id || '/' || n || '.md', '', props
    from entry, generate_series(1, ${PAGES}::int) n where branch = ${spaceId}`.execute(t.db);
  ({ id: changeRequestId } = await admin.changeRequests.create({ spaceId }));
  await sql`insert into change_request (id, space, organization, number, status, revision_initial, created_by)
    select 'request' || n, ${spaceId}, 'acme', 10 + n, 'open', revision, 'user-1'
    from space, generate_series(1, 1000) n where id = ${spaceId}`.execute(t.db);
  await sql`update space set change_requests = 1010 where id = ${spaceId}`.execute(t.db);
  await sql`insert into branch (id, space, seq, revision, base_seq)
    select 'request' || n, space, 1, revision, seq from branch, generate_series(1, 1000) n
    where id = ${spaceId}`.execute(t.db);
  await sql`insert into entry (branch, id, from_seq, kind, parent, position, slug, title, body, props)
    select 'request' || n, id, 1, kind, parent, position, slug, 'Edited', body, props
    from (select *, row_number() over (order by id) as n from entry where branch = ${spaceId}) e
    where n <= 1000`.execute(t.db);
  await sql`analyze`.execute(t.db);
});

/** A page below which many lie, which refers to the first of them. */
async function group(ctx: typeof t.ctx, at: number): Promise<Entry> {
  const text = `# Group ${at}\n\n[first](/group-0) [another](/group-${at}/page-1)\n\n## Part\n\nwords of ${at}\n`;
  const [body] = await keepBodies(ctx, spaceId, [text]);
  return {
    id: `group-${at}`,
    kind: "page",
    slug: `group-${at}`,
    title: `Group ${at}`,
    parent: null,
    position: `a0${String(at).padStart(5, "0")}5`,
    body: body!,
    props: { type: "document" },
    git_path: null,
    git_oid: null,
    created_at: new Date().toISOString(),
    updated_at: null,
  };
}

const markdown = "# New\n\n[first](/group-0) [another](/group-3/page-3)\n";
const edit = (changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]): Call => {
  return (caller) => caller.changeRequests.edit({ spaceId, changeRequestId, changes });
};

const operations: Record<string, Call> = {
  "a page": (caller) => caller.content.page({ spaceId, pageId: "group-7-7" }),
  "a page by its path": (caller) => caller.content.pageAtPath({ spaceId, pagePath: "group-7/page-7" }),
  "a page of a change request": (caller) =>
    caller.changeRequestContent.page({ spaceId, changeRequestId, pageId: "group-7-7" }),
  "a page of a change request by its path": (caller) =>
    caller.changeRequestContent.pageAtPath({ spaceId, changeRequestId, pagePath: "group-7/page-7" }),
  "a page by the path that it had": async (caller) => {
    const { revision: revisionId } = await caller.spaces.get({ spaceId });
    return caller.shownPages.locate({ spaceId, revisionId, path: "group-7/page-7" });
  },
  "the backlinks of a page": (caller) => caller.links.pageBacklinks({ spaceId, pageId: "group-7-7" }),
  "the links of a page": (caller) => caller.links.listOfPage({ spaceId, pageId: "group-7" }),
  "a comment": (caller) =>
    caller.changeRequestComments.post({ spaceId, changeRequestId, body: { markdown: "So it is." } }),
  "a list of comments": (caller) => caller.changeRequestComments.list({ spaceId, changeRequestId }),
  "an edit": edit([{ operation: "update_page", page: "group-8-8", document: { markdown } }]),
  "a move": edit([{ operation: "update_page", page: "group-8-9", into: "group-9" }]),
  "a new page": edit([{ operation: "insert_page", title: "New", into: "group-9", document: { markdown } }]),
  "a new page on top": edit([{ operation: "insert_page", title: "Top", document: { markdown } }]),
  "the changes of a change request": (caller) => caller.changes.ofChangeRequest({ spaceId, changeRequestId }),
  "a merge": (caller) => caller.changeRequests.merge({ spaceId, changeRequestId }),
};

test.each(Object.entries(operations))(
  "%s reads few rows under plans made for any values",
  async (_, call) => {
    const reads = await genericReads(t, call);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter(({ rows }) => rows > FEW)).toEqual([]);
  },
);

/** Each time another text with links that the page has not had. */
let written = 0;
const another = () => {
  written += 1;
  return { markdown: `# New\n\n[one](/group-${written}) [another](/group-3/${written}.md)\n` };
};
const writes: Record<string, Call> = {
  "an edit with new links": (caller) =>
    edit([{ operation: "update_page", page: "group-8-8", document: another() }])(caller),
  "a new page": (caller) =>
    edit([{ operation: "insert_page", title: "New", into: "group-9", document: another() }])(caller),
  "a new page on top": (caller) =>
    edit([{ operation: "insert_page", title: "Top", document: another() }])(caller),
  "a comment": (caller) => caller.comments.post({ spaceId, body: { markdown: "So it is." } }),
  "a change request that is opened, edited and merged": async (caller) => {
    const one = { spaceId, changeRequestId: (await caller.changeRequests.create({ spaceId })).id };
    await caller.changeRequests.edit({
      ...one,
      changes: [{ operation: "update_page", page: "group-4-4", document: another() }],
    });
    expect((await caller.changeRequests.merge(one)).result).toBe("merge");
  },
};

test.each(Object.entries(writes))("the plans of %s are kept", async (_, call) => {
  ({ id: changeRequestId } = await admin.changeRequests.create({ spaceId }));
  expect(await plannedAnew(t, call)).toEqual([]);
});
