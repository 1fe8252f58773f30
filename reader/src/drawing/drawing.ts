import { setTimeout as sleep } from "node:timers/promises";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { createTurns } from "@octavo/shared/turns";
import { createPool, type PoolOptions } from "@octavo/shared/workers/pool";
import { highlightAhead } from "./code-ahead.js";
import { type Facts, factsOf } from "./facts.js";
import type { DrawingInput, MarkdownInput } from "./input.js";
import { operationsSample, sampleOf } from "./sample.js";
import { drawDocument, drawWithin, type FeedInput, tasks } from "./tasks.js";
import { createAdmission, inTurn } from "./turns.js";

/** A document that was looked through. */
export interface Opened {
  json: string;
  facts: Facts;
  /** The document, where it is short enough to be here. */
  document?: JSONDocument;
}

/**
 * Draws documents on the main thread or on workers, fairly between sites: `party` is the site. Refuses 503 when too many
 * documents of a site wait.
 */
export interface Drawing {
  /** Looks through a document, given as JSON. */
  open(party: string, json: string): Promise<Opened>;
  /** The HTML of a document. 503 when it takes too long even without colors. */
  draw(party: string, input: DrawingInput, document?: JSONDocument): Promise<string>;
  /** A page as markdown, always written on a thread: what writes it is not loaded twice. 503 when it takes too long. */
  markdown(party: string, input: MarkdownInput): Promise<string>;
  /** The RSS feed of a document; undefined when it has no updates. */
  feed(party: string, input: FeedInput): Promise<string | undefined>;
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
/** Documents that may wait for a thread or be on one, of which no party has more than half of what is free. */
const MOST_OPEN = 200;
/** Milliseconds after which a thread that is one too many ends. */
const IDLE_THREAD_MS = 15_000;
/** Milliseconds that a page may take as a whole, of which colors and formulas take a bounded part. */
const DEADLINE = 5_000;
/**
 * Documents of so many nodes, with so many characters of code, take some ten milliseconds. On a thread that has drawn few
 * pages, and has compiled little of what draws, they take several times as long.
 */
const SHORT = { nodes: 5_500, sources: 45_000 };
/** Characters of code from which on it is highlighted ahead, some at a time. */
const MUCH_CODE = 2_000;
/** Characters of JSON from which on a document is not even read here. */
const MAX_MAIN_THREAD_JSON = 400_000;
/** Of everybody's time, in ms: a document with code or formulas that takes longer is drawn on a thread. */
const MAX_MAIN_THREAD_MS = 20;

/** Documents that are drawn after the start, their parts, and the ms between them that belong to whoever else starts. */
const [SAMPLES, PARTS, PAUSE] = [60, 4, 10];
/** Those that are drawn on a thread, which are longer. */
const [LONG_SAMPLES, LONG_PARTS] = [6, 100];
/** Operations of APIs, which are drawn on a thread as well. */
const OPERATIONS = 30;

interface Options extends Partial<PoolOptions> {
  /** Milliseconds that drawing a document with code or formulas may take of everybody's time. */
  atOnce?: number;
  /** Documents that may wait for a thread or be on one. */
  open?: number;
}

/** Creates what draws: short documents at once, all others on a few threads, a site at a time. */
export function createDrawing({
  atOnce = MAX_MAIN_THREAD_MS,
  open = MOST_OPEN,
  ...options
}: Options = {}): Drawing {
  const module = new URL(`./thread${import.meta.url.slice(-3)}`, import.meta.url);
  const pool = createPool({
    module,
    threads: THREADS,
    deadline: DEADLINE,
    rest: IDLE_THREAD_MS,
    memory: 512,
    ...options,
  });
  const turns = createTurns(options.threads ?? THREADS);
  /** Of those whose code is highlighted ahead: of many at a time, each would wait for all. */
  const turnsHere = createTurns(1);

  const admitted = createAdmission(open, "Page: too many are being drawn");

  const onThread = (
    party: string,
    task: keyof typeof tasks,
    input: string | DrawingInput | MarkdownInput | FeedInput,
  ): Promise<unknown> => inTurn(turns, party, () => pool.run(task, input));

  /** The HTML of a document that is drawn here; undefined when others would wait too long for it. */
  async function drawHere(
    party: string,
    input: DrawingInput,
    document: JSONDocument,
  ): Promise<string | undefined> {
    const { sources } = input.size;
    // Without code and formulas no deadline is needed.
    if (sources === 0) return plain(input, document);
    if (sources >= MUCH_CODE && !(await inTurn(turnsHere, party, () => highlightAhead(document, atOnce))))
      return undefined;
    return drawWithin(atOnce, input, document);
  }

  return {
    async open(party, json) {
      if (json.length >= MAX_MAIN_THREAD_JSON) {
        const facts = await admitted(party, () => onThread(party, "open", json));
        return { json, facts: facts as Facts };
      }
      const document = JSON.parse(json) as JSONDocument;
      return { json, document, facts: factsOf(document) };
    },
    async draw(party, input, document) {
      const { nodes, sources } = input.size;
      if (document && nodes < SHORT.nodes && sources < SHORT.sources && input.operations.length === 0) {
        const html = await drawHere(party, input, document);
        if (html !== undefined) return html;
      }
      const drawn = await admitted(party, () =>
        onThread(party, "draw", input).catch((error: unknown) => {
          // Whoever takes too long with colors is drawn without them.
          if (input.time === 0) throw error;
          return onThread(party, "draw", { ...input, time: 0 });
        }),
      );
      return drawn as string;
    },
    async markdown(party, input) {
      return (await admitted(party, () => onThread(party, "markdown", input))) as string;
    },
    async feed(party, input) {
      if (input.json.length < MAX_MAIN_THREAD_JSON) return tasks.feed(input);
      const text = await admitted(party, () => onThread(party, "feed", input));
      return text as string | undefined;
    },
    async warm() {
      await pool.run("draw", sampleOf(0, PARTS).input);
      for (let number = 1; number <= SAMPLES; number += 1) {
        const { input, document } = sampleOf(number, PARTS);
        drawWithin(DEADLINE, input, document);
        await sleep(PAUSE);
      }
      for (let number = 1; number <= LONG_SAMPLES; number += 1) {
        const { input } = sampleOf(SAMPLES + number, LONG_PARTS);
        await pool.run("open", input.json);
        await pool.run("draw", input);
        await sleep(PAUSE);
      }
      await pool.run("draw", operationsSample(OPERATIONS));
    },
    close: pool.close,
    get done() {
      return pool.done;
    },
  };
}

const plain = (input: DrawingInput, document: JSONDocument): string =>
  drawDocument({ ...input, time: 0 }, document);
