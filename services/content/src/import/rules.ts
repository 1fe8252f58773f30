import { setTimeout as sleep } from "node:timers/promises";
import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, type RefusalCode, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { paginate } from "@octavo/shared/paginate";
import { resolveTarget } from "../revisions/target.js";
import type { Call, Ctx } from "../trpc.js";
import { importContentJob, importQueueOf } from "./jobs.js";
import * as queries from "./queries.js";
import type { ImportRequest } from "./run.js";
import type { ImportContent, ImportIntoPage, List, One } from "./schema.js";
import { lockDestination } from "./target.js";
import { countsOf, view } from "./view.js";

/** The gateway waits no longer than a minute. */
const WAIT_MS = 45_000;
/** Pauses between looks at an import: growing, as most take less than a second. */
const LOOKS_MS = { first: 20, last: 500 };
/** Imports of one organization that wait or run. */
const MOST_OPEN = 100;

type Input = Call<typeof ImportContent>["input"] & { pageId?: string };

/**
 * Imports what lies at an address behind the pages that are there, as one revision of the space or of the change
 * request. It is done by a job, and waited for: 202 when that takes longer than 45 s, and it goes on. 400 when it cannot
 * be had, is not what `source` says, or holds no page; nothing has changed then. 403 for who may not edit the space, 404
 * to strangers, 429 while 100 imports of the organization wait.
 */
export const importContent = ({ ctx, input }: Call<typeof ImportContent>) => importInto(ctx, input);

/**
 * Imports what lies at an address as pages below a page; refuses like `importContent`, and with 404 when there is no
 * such page, 400 for one that holds no pages.
 */
export const importIntoPage = ({ ctx, input }: Call<typeof ImportIntoPage>) => importInto(ctx, input);

/**
 * Lists the imports of a space by address, the latest first; of those that have ended, the last hundred. 404 for a space
 * out of reach.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { space } = await resolveTarget(ctx, { spaceId: input.spaceId });
  const query = queries.inSpace(ctx, space);
  return paginate({ query, direction: "desc", input, view: (rows) => rows.map(view(ctx)) });
}

/** Returns the state of an import by address; 404 when the space has none with that id. */
export async function get({ ctx, input }: Call<typeof One>) {
  const { space } = await resolveTarget(ctx, { spaceId: input.spaceId });
  return view(ctx)(found(await queries.find(ctx, space, input.importId), "Import"));
}

async function importInto(ctx: Ctx, input: Input) {
  const { id, space, revision } = await start(ctx, input);
  const row = await endOf(ctx, space, id);
  if (row.error) {
    const { code, message, reason } = row.error;
    // Cast: the code of a refusal that was kept.
    refuse(code as RefusalCode, message, { reason });
  }
  const isCompleted = row.revision !== null;
  if (!isCompleted) ctx.reply.status = 202;
  ctx.reply.headers.location = isCompleted
    ? ctx.urls.api`/spaces/${space}/revisions/${row.revision!}`
    : ctx.urls.api`/spaces/${space}/imports/${id}`;
  return { revision: row.revision ?? revision, ...countsOf(row), import: id };
}

/** Starts an import. Who may not is refused before anything is fetched; it is decided once more when it is written. */
async function start(ctx: Ctx, { url, source, ...destination }: Input) {
  const id = newId();
  return transact(ctx, async (ctx) => {
    const { scope, head } = await lockDestination(ctx, destination);
    const { space, organization, changeRequest } = scope;
    if ((await queries.countOpen(ctx, organization)) >= MOST_OPEN)
      refuse("TOO_MANY_REQUESTS", `Import: ${MOST_OPEN} imports of the organization wait`, {
        reason: "too_many_imports",
      });
    const caller = userOf(ctx);
    const request: ImportRequest = { ...destination, url, source, caller, ip: ctx.ip };
    await queries.insert(ctx, {
      id,
      space,
      source,
      host: new URL(url).host,
      created_by: caller.id,
      change_request: changeRequest?.id,
      page: destination.pageId,
      request: ctx.vault.seal(JSON.stringify(request), queries.requestOf(id)),
    });
    await enqueue(ctx, importContentJob, { import: id }, { queue: importQueueOf(organization) });
    return { id, space, revision: head.revision };
  });
}

/** An import when it has ended, or as far as it is when nobody waits for it any longer. */
async function endOf(ctx: Ctx, space: string, id: string): Promise<queries.Row> {
  const late = AbortSignal.timeout(WAIT_MS);
  for (let pause = LOOKS_MS.first; ; pause = Math.min(pause * 1.5, LOOKS_MS.last)) {
    const row = found(await queries.find(ctx, space, id), "Import");
    if (row.completed_at !== null || late.aborted || ctx.signal?.aborted) return row;
    await sleep(pause);
  }
}
