import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import type { Reached, Trial } from "./trial.js";

/** What a host does: it tries mutants one after the other, in one worker. */
export interface Order {
  root: string;
  /** The texts of sources with mutants in them, by their paths. */
  switched: Record<string, string>;
  tests: string[];
  /** The numbers of the mutants to try. */
  mutants: number[];
}

export type Report =
  /** The tests pass without a mutant, in so much time a file, and come across these mutants, which are tried in this order. */
  | { kind: "ready"; planned: number[]; longestMs: number }
  /** A file has run. */
  | { kind: "alive" }
  | { kind: "failed"; error: string }
  /** `byTime`: all that failed exceeded a limit of time. */
  | { kind: "tried"; mutant: number; noticed: boolean; byTime: boolean }
  /** Whether the tests still pass without a mutant, after those that were tried before. */
  | { kind: "sound"; sound: boolean };

/** After so many mutants the tests run without one, for one may have broken what the next ones need. */
const BETWEEN = 30;
/** A test that takes so much longer than the slowest one without a mutant has failed. */
const PATIENCE = 4;
const LEAST_MS = 4_000;
const LIMIT = /^(Test|Hook) timed out in|^nothing came within/;

/** Nobody waits any more: the worker, which may be anywhere, ends too. */
const end = () => process.kill(-process.pid, "SIGKILL");
process.once("disconnect", end);
process.once("message", async (order: Order) => {
  await tryAll(order, (report) => process.send!(report));
  process.off("disconnect", end).disconnect();
});

async function tryAll(order: Order, send: (report: Report) => void): Promise<void> {
  const trials: Trial[] = [];
  let onEnd: (trial: Trial, module: TestModule) => void;
  const vitest = await createTester(order, trials, (module) =>
    onEnd(trials[numberOf(module.moduleId)]!, module),
  );
  const project = vitest.getRootProject();
  const run = (some: Trial[]) =>
    vitest.runTestSpecifications(
      some.map((trial) =>
        project.createSpecification(`${order.root}/trial-${trials.push(trial) - 1}.test.ts`),
      ),
    );

  try {
    const files = await filesOf(vitest, order.tests);
    // Twice, with modules loaded anew and with those that are there: where both come across the same, mutants have their
    // effect without that.
    const without = files.flatMap((file) => [true, false].map((loadsAnew) => ({ file, loadsAnew })));
    const [anew, again] = [new Map<string, Reached[]>(), new Map<string, Reached[]>()];
    let [slowest, longestMs] = [0, 0];
    let failure: string | undefined;
    onEnd = ({ file, loadsAnew }, module) => {
      if (!module.ok()) failure ??= `${file}: ${errorsOf(module).join("\n")}`;
      const tests = [...module.children.allTests()];
      slowest = Math.max(slowest, ...tests.map((test) => test.diagnostic()?.duration ?? 0));
      const { collectDuration, duration } = module.diagnostic();
      longestMs = Math.max(longestMs, collectDuration + duration);
      const reached = tests.flatMap((test) => test.meta().reached ?? []);
      (loadsAnew ? anew : again).set(file, reached);
    };
    await run(without);
    if (failure) return send({ kind: "failed", error: failure });

    const reaching = (mutant: number, ...rounds: Map<string, Reached[]>[]): Pick<Trial, "file" | "tests">[] =>
      files.flatMap((file) => {
        const those = rounds
          .flatMap((round) => round.get(file)!)
          .filter((one) => one.mutants.includes(mutant));
        return those.length > 0 ? [{ file, tests: [...new Set(those.map(({ test }) => test))] }] : [];
      });
    const isLive = (mutant: number) => isDeepStrictEqual(reaching(mutant, anew), reaching(mutant, again));
    const timeoutMs = LEAST_MS + PATIENCE * slowest;
    const reached = order.mutants.filter((mutant) => reaching(mutant, anew, again).length > 0);
    const planned = [reached.filter(isLive), reached.filter((mutant) => !isLive(mutant))];
    const plan = planned.flatMap((mutants, at): Trial[] => {
      const loadsAnew = at === 1;
      return inGroups(mutants).flatMap((group) => [
        ...group.flatMap((mutant) =>
          reaching(mutant, anew, again).map((each) => ({ ...each, mutant, timeoutMs, loadsAnew })),
        ),
        ...files.map((file) => ({ file, loadsAnew })),
      ]);
    });
    send({ kind: "ready", planned: planned.flat(), longestMs });

    let at = 0;
    let failed: string[] = [];
    onEnd = ({ mutant }, module) => {
      if (!module.ok()) failed.push(...errorsOf(module));
      send({ kind: "alive" });
      at += 1;
      if (at < plan.length && plan[at]!.mutant === mutant) return;
      const noticed = failed.length > 0;
      if (mutant === undefined) send({ kind: "sound", sound: !noticed });
      else {
        const byTime = noticed && failed.every((error) => LIMIT.test(error));
        send({ kind: "tried", mutant, noticed, byTime });
      }
      failed = [];
    };
    if (plan.length > 0) await run(plan);
  } finally {
    await vitest.close();
  }
}

function inGroups(mutants: number[]): number[][] {
  return mutants.length === 0 ? [] : [mutants.slice(0, BETWEEN), ...inGroups(mutants.slice(BETWEEN))];
}

/** Vitest, with sources that have mutants in them, and trials as test files. */
function createTester(
  { root, switched }: Order,
  trials: Trial[],
  onTestModuleEnd: (module: TestModule) => void,
): Promise<Vitest> {
  const load = (id: string) => {
    if (id in switched) return switched[id];
    return isTrial(id) ? codeOf(root, trials[numberOf(id)]!, numberOf(id)) : undefined;
  };
  const reporter: Reporter = { onTestModuleEnd };
  return createVitest(
    "test",
    {
      root,
      watch: false,
      silent: true,
      maxWorkers: 1,
      reporters: [reporter],
      sequence: { sequencer: AsGiven },
      experimental: { fsModuleCache: true },
    },
    {
      plugins: [
        {
          name: "mutants",
          enforce: "pre",
          resolveId: (id) => (isTrial(id) ? id : undefined),
          load,
          configureVitest: ({ experimental_defineCacheKeyGenerator: cacheAs }) =>
            cacheAs(({ id }) => (id in switched || /trial[-=]\d/.test(id) ? false : undefined)),
        },
      ],
    },
  );
}

/** Runs files in the order in which they are given. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files;
  }
}

async function filesOf(vitest: Vitest, tests: string[]): Promise<string[]> {
  const found = (await vitest.globTestSpecifications(tests)).map(({ moduleId }) => moduleId);
  const place = (path: string) => tests.findIndex((test) => path.includes(test));
  return found.toSorted((one, other) => place(one) - place(other));
}

function errorsOf(module: TestModule): string[] {
  const failed = [...module.children.allTests("failed")].flatMap((test) => test.result().errors ?? []);
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [...module.errors(), ...suites, ...failed].map(({ message }) => message);
}

const isTrial = (id: string) => /\/trial-\d+\.test\.ts$/.test(id);
const numberOf = (id: string) => Number(/trial-(\d+)\.test\.ts$/.exec(id)![1]);
const codeOf = (root: string, trial: Trial, number: number) => `
import { isOver, prepare } from ${JSON.stringify(resolve(root, "scripts/mutate/trial.ts"))};
const trial = ${JSON.stringify(trial)};
if (!isOver(trial)) {
  prepare(trial);
  await import(${JSON.stringify(`${trial.file}?trial=${number}`)});
}`;
