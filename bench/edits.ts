import type { Client } from "../tests/harness/client.js";
import { type Line, median } from "./report.js";
import { merge, pageAt, proposeEdit, type Space, spaceOf, timed } from "./spaces.js";

const rounds = 40;
const sizes = { small: 100, large: 10_000 };
const revisions = 1_000;

const STEPS = ["open", "edit", "merge", "byId", "byPath", "tree"] as const;
type Times = Record<(typeof STEPS)[number], number[]>;
const empty = () => Object.fromEntries(STEPS.map((step) => [step, []])) as unknown as Times;

/**
 * Open a change request, edit one page in it, merge it, and read pages: in a space of 100 pages and in one of 10,000
 * pages and 1,000 revisions, in turns.
 */
export async function measureEdits(call: Client): Promise<Line[]> {
  const [small, large] = [await spaceOf(call, sizes.small), await spaceOf(call, sizes.large)];
  for (let step = 0; step < revisions; step++)
    await merge(call, await proposeEdit(call, large, pageAt(large, step), `Revision ${step}`));
  const times = { small: empty(), large: empty() };
  for (let round = -3; round < rounds; round++) {
    const kept = round >= 0;
    await cycle(call, small, round + 3, kept ? times.small : empty());
    await cycle(call, large, round + 3, kept ? times.large : empty());
  }
  const line = (what: string, step: keyof Times, atMost: number, scale = 1): Line => {
    const [one, other] = [median(times.large[step]) / scale, median(times.small[step])];
    return {
      what: `${what}, 10,000 pages and 1,000 revisions against 100 pages`,
      measured: `${one.toFixed(1)} ms`,
      reference: `${other.toFixed(1)} ms`,
      result: one / other,
      target: { atMost },
    };
  };
  return [
    line("editing one page", "edit", 2),
    line("opening a change request", "open", 1.2),
    line("merging one changed page", "merge", 2),
    line("page by id", "byId", 1.5),
    line("page by path", "byPath", 1.5),
    line("all pages, for each 100 of them", "tree", 1.2, sizes.large / sizes.small),
  ];
}

async function cycle(call: Client, space: Space, round: number, times: Times) {
  const page = pageAt(space, round);
  const requests = `/spaces/${space.space}/change-requests`;
  const document = { markdown: `# Edited\n\nRound ${round} says something new here.\n` };
  const changes = [{ operation: "update_page", page: page.id, document }];
  const opened = await timed(times.open, () =>
    call<{ id: string }>("POST", requests, { subject: `Round ${round}` }),
  );
  const one = `${requests}/${opened.body.id}`;
  await timed(times.edit, () => call("POST", `${one}/content`, { changes }));
  await timed(times.merge, () => merge(call, one));
  const content = `/spaces/${space.space}/content`;
  // Pages that were not read before: what is remembered would be as fast in any space.
  const [byId, byPath] = [pageAt(space, round + 50), pageAt(space, round + 77)];
  await timed(times.byId, () => call("GET", `${content}/page/${byId.id}`));
  await timed(times.byPath, () => call("GET", `${content}/path/${encodeURIComponent(byPath.path)}`));
  if (round % 8 === 0) await timed(times.tree, () => call("GET", `${content}/pages`));
}
