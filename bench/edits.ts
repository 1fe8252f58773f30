import { serveRepository } from "@octavo/shared/testing/git-server";
import type { Client } from "../tests/harness/client.js";
import { importInto } from "./imports.js";
import { type Line, median } from "./report.js";
import { discard, generateRepository } from "./repositories.js";

const rounds = 40;
const sizes = { small: 100, large: 10_000 };

interface Page {
  id: string;
  type: string;
  pages?: Page[];
}
interface Space {
  space: string;
  pages: string[];
}
interface Times {
  open: number[];
  edit: number[];
  merge: number[];
}

/** Open a change request, edit one page in it, merge it: in a space of 100 pages and in one of 10,000, in turns. */
export async function measureEdits(call: Client): Promise<Line[]> {
  const [small, large] = [await seed(call, sizes.small), await seed(call, sizes.large)];
  const times = { small: empty(), large: empty() };
  for (let round = -3; round < rounds; round++) {
    const kept = round >= 0;
    await cycle(call, small, round, kept ? times.small : empty());
    await cycle(call, large, round, kept ? times.large : empty());
  }
  const line = (what: string, step: keyof Times, atMost: number): Line => {
    const [one, other] = [median(times.large[step]), median(times.small[step])];
    return {
      what: `${what}, 10,000 pages against 100`,
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
  ];
}

const empty = (): Times => ({ open: [], edit: [], merge: [] });

async function cycle(call: Client, { space, pages }: Space, round: number, times: Times) {
  const requests = `/spaces/${space}/change-requests`;
  const page = pages[((round + 3) * 37 + 11) % pages.length]!;
  const text = `# Edited\n\nRound ${round} says something new here.\n`;
  const changes = [{ operation: "update_page", page, document: { markdown: text } }];
  const opened = await timed(times.open, () =>
    call<{ id: string }>("POST", requests, { subject: `Round ${round}` }),
  );
  const one = `${requests}/${opened.body.id}`;
  await timed(times.edit, () => call("POST", `${one}/content`, { changes }));
  const merged = await timed(times.merge, () => call<{ result: string }>("POST", `${one}/merge`));
  if (merged.body.result !== "merge") throw new Error(`The merge answered ${JSON.stringify(merged.body)}`);
}

async function timed<T extends { status: number }>(times: number[], work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  const answer = await work();
  if (answer.status >= 300) throw new Error(`A step was answered with ${JSON.stringify(answer)}`);
  times.push(performance.now() - since);
  return answer;
}

async function seed(call: Client, pages: number): Promise<Space> {
  const folder = generateRepository({ pages, bytes: 600 });
  const repository = await serveRepository(folder);
  try {
    const { space } = await importInto(call, repository);
    const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
    const ids = flat(body.pages).filter(({ type }) => type === "document");
    if (ids.length !== pages) throw new Error(`${ids.length} of ${pages} pages came in`);
    return { space, pages: ids.map(({ id }) => id) };
  } finally {
    await repository.close();
    discard(folder);
  }
}

const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
