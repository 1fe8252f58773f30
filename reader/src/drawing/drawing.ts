import type { Rendered } from "@octavo/html/render";
import { block, leaf, textNode } from "@octavo/markdown/document/nodes";
import { createTurns } from "@octavo/shared/turns";
import { createPool, type PoolOptions } from "@octavo/shared/workers/pool";
import type { Given } from "./given.js";
import { drawGiven } from "./tasks.js";

/** Draws documents so that nobody waits for the page of somebody else. */
export interface Drawing {
  /** The HTML of a document; `party` takes turns with others. 503 when it takes too long even without colors. */
  draw(party: string, given: Given): Promise<string>;
  /** Starts a thread, which takes a moment; others are started by what there is to draw, and end after it. */
  warm(): Promise<void>;
  /** How much was drawn on threads so far. */
  readonly done: number;
  close(): Promise<void>;
}

const THREADS = 2;
/** Milliseconds after which a thread that is one too many ends. */
const REST = 15_000;
/** Milliseconds that a page may take as a whole, of which colors and formulas take a bounded part. */
const DEADLINE = 5_000;
/** Documents of so many nodes, with so many characters of code, take milliseconds, for which no thread is worth its while. */
const SHORT = { nodes: 1_200, sources: 8_000 };
/** Milliseconds that colors and formulas may take of everybody's time: what takes longer is drawn on a thread. */
const AT_ONCE = 20;

/** Creates what draws: short documents at once, all others on a few threads, a site at a time. */
export function createDrawing(options: Partial<PoolOptions> = {}): Drawing {
  const module = new URL(`./thread${import.meta.url.slice(-3)}`, import.meta.url);
  const pool = createPool({
    module,
    threads: THREADS,
    deadline: DEADLINE,
    rest: REST,
    memory: 512,
    ...options,
  });
  const turns = createTurns(options.threads ?? THREADS);

  async function onThread(party: string, given: Given): Promise<Rendered> {
    let leave = () => {};
    await new Promise<void>((begin) => {
      leave = turns.enter(party, begin);
    });
    try {
      // Whoever takes too long with colors is drawn without them.
      return (await pool.run("draw", given).catch((error: unknown) => {
        if (given.time === 0) throw error;
        return pool.run("draw", { ...given, time: 0 });
      })) as Rendered;
    } finally {
      leave();
    }
  }

  return {
    async draw(party, given) {
      const { nodes, sources } = given.size;
      if (nodes < SHORT.nodes && sources < SHORT.sources && given.operations.length === 0) {
        const { html, inTime } = drawGiven({ ...given, time: Math.min(given.time, AT_ONCE) });
        if (inTime || sources === 0) return html;
      }
      return (await onThread(party, given)).html;
    },
    async warm() {
      await pool.run("draw", NOTHING_GIVEN);
    },
    close: pool.close,
    get done() {
      return pool.done;
    },
  };
}

const CODE = "const a = 1; // one";
const NOTHING_GIVEN: Given = {
  // What colors code is compiled when it is first used.
  document: {
    object: "document",
    data: {},
    nodes: [block("code", { syntax: "js" }, [block("code-line", {}, [textNode([leaf(CODE)])])])],
  },
  place: { space: "", base: "/" },
  site: { spaces: [], spoken: "en" },
  own: { entries: [], first: undefined, files: [] },
  ...{ others: [], reusables: [], operations: [], time: 2_000, size: { nodes: 0, sources: 0 } },
};
