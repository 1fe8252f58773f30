import { setTimeout as sleep } from "node:timers/promises";
import type { Rendered } from "@octavo/html/render";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { createTurns } from "@octavo/shared/turns";
import { createPool, type PoolOptions } from "@octavo/shared/workers/pool";
import { type Facts, factsOf } from "./facts.js";
import type { Given } from "./given.js";
import { sampleOf } from "./sample.js";
import { drawGiven, drawWithin } from "./tasks.js";

/** A document that was looked through. */
export interface Opened {
  json: string;
  facts: Facts;
  /** The document, where it is short enough to be here. */
  document?: JSONDocument;
}

/** Draws documents so that nobody waits for the page of somebody else; `party` takes turns with others. */
export interface Drawing {
  /** Looks through a document, given as JSON. */
  open(party: string, json: string): Promise<Opened>;
  /** The HTML of a document. 503 when it takes too long even without colors. */
  draw(party: string, given: Given, document?: JSONDocument): Promise<string>;
  /**
   * Starts a thread, which takes a moment, and draws here until what draws is compiled; other threads are started by what
   * there is to draw, and end after it.
   */
  warm(): Promise<void>;
  /** How much was done on threads so far. */
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
/** Characters of JSON from which on a document is not even read here. */
const LONG = 300_000;
/** Of everybody's time, in ms: a document with code or formulas that takes longer is drawn on a thread. */
const AT_ONCE = 20;

/** Documents that are drawn after the start, their parts, and the ms between them that belong to whoever else starts. */
const [SAMPLES, PARTS, PAUSE] = [60, 4, 10];
/** Those that are drawn on a thread, which are longer. */
const [LONG_SAMPLES, LONG_PARTS] = [6, 100];

interface Options extends Partial<PoolOptions> {
  /** Milliseconds that drawing a document with code or formulas may take of everybody's time. */
  atOnce?: number;
}

/** Creates what draws: short documents at once, all others on a few threads, a site at a time. */
export function createDrawing({ atOnce = AT_ONCE, ...options }: Options = {}): Drawing {
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

  async function onThread(party: string, task: "open" | "draw", input: string | Given): Promise<unknown> {
    let leave = () => {};
    await new Promise<void>((begin) => {
      leave = turns.enter(party, begin);
    });
    try {
      return await pool.run(task, input);
    } finally {
      leave();
    }
  }

  return {
    async open(party, json) {
      if (json.length >= LONG) return { json, facts: (await onThread(party, "open", json)) as Facts };
      const document = JSON.parse(json) as JSONDocument;
      return { json, document, facts: factsOf(document) };
    },
    async draw(party, given, document) {
      const { nodes, sources } = given.size;
      if (document && nodes < SHORT.nodes && sources < SHORT.sources && given.operations.length === 0) {
        // Where nothing may take long, nothing is watched over.
        const html = sources === 0 ? plain(given, document) : drawWithin(atOnce, given, document);
        if (html !== undefined) return html;
      }
      const drawn = onThread(party, "draw", given).catch((error: unknown) => {
        // Whoever takes too long with colors is drawn without them.
        if (given.time === 0) throw error;
        return onThread(party, "draw", { ...given, time: 0 });
      });
      return ((await drawn) as Rendered).html;
    },
    async warm() {
      await pool.run("draw", sampleOf(0, PARTS).given);
      for (let number = 1; number <= SAMPLES; number += 1) {
        const { given, document } = sampleOf(number, PARTS);
        drawWithin(DEADLINE, given, document);
        await sleep(PAUSE);
      }
      for (let number = 1; number <= LONG_SAMPLES; number += 1) {
        const { given } = sampleOf(SAMPLES + number, LONG_PARTS);
        await pool.run("open", given.json);
        await pool.run("draw", given);
        await sleep(PAUSE);
      }
    },
    close: pool.close,
    get done() {
      return pool.done;
    },
  };
}

const plain = (given: Given, document: JSONDocument): string =>
  drawGiven({ ...given, time: 0 }, document).html;
