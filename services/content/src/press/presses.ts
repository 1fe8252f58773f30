import { type Order, PressFailed, type PressOptions, press } from "@octavo/pdf/press";
import { Refusal } from "@octavo/shared/errors";
import { createShares } from "@octavo/shared/shares";
import { createTurns } from "@octavo/shared/turns";
import { createKept } from "./kept.js";

/** PDFs at a time; those of one organization are made one after the other. */
const AT_A_TIME = 2;
/** PDFs that may wait or be made, of which no organization has more than half of what is free. */
const MOST_OPEN = 32;
const MIB = 1024 * 1024;

interface Wanted {
  /** Names the content: the same name is the same PDF for good. */
  name: string;
  organization: string;
  /** What the PDF is made of, when it has to be made. */
  order: (signal: AbortSignal) => Promise<Order>;
}

/** Makes PDFs, each in a process of its own, and keeps them for who asks again. */
export interface Presses {
  /**
   * The path of a PDF, which is made once for all who ask meanwhile, and no further when the last of them has gone.
   * Refuses 503 when it takes too much, or too many wait.
   */
  make(wanted: Wanted, signal: AbortSignal): Promise<string>;
  /** How many were made so far. */
  readonly made: number;
  close(): Promise<void>;
}

export interface PressesOptions extends Partial<Omit<PressOptions, "module">> {
  folder: string;
  /** Bytes of PDFs that are kept. */
  bytes?: number;
}

interface Making {
  waiting: number;
  stop: AbortController;
  path: Promise<string>;
}

/** Creates the queue of PDFs; nothing runs before the first is asked for. */
export function createPresses(options: PressesOptions): Presses {
  const { folder, bytes = 1024 * MIB, deadline = 45_000, memory = 1024 } = options;
  const module = new URL(`./child${import.meta.url.slice(-3)}`, import.meta.url);
  const kept = createKept(folder, bytes);
  const turns = createTurns(AT_A_TIME);
  const shares = createShares(MOST_OPEN);
  const making = new Map<string, Making>();
  let made = 0;

  /** Waits for a turn, and returns what gives it back. */
  const turn = (organization: string, signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      let leave: () => void = () => undefined;
      let isOver = false;
      const start = () => {
        // It may begin before `enter` has returned.
        queueMicrotask(() => (isOver ? leave() : resolve(leave)));
      };
      leave = turns.enter(organization, start);
      signal.addEventListener("abort", () => {
        isOver = true;
        leave();
        reject(signal.reason);
      });
    });

  async function run({ name, organization, order }: Wanted, signal: AbortSignal): Promise<string> {
    if (!shares.take(organization, 1)) throw busy();
    try {
      const leave = await turn(organization, signal);
      try {
        const draft = await kept.draft(name);
        await press(await order(signal), draft, { module, deadline, memory }, signal);
        made += 1;
        return await kept.keep(name);
      } finally {
        leave();
        await kept.drop(name);
      }
    } catch (error) {
      throw error instanceof PressFailed && error.tooCostly ? tooCostly(error) : error;
    } finally {
      shares.give(organization, 1);
    }
  }

  function begin(wanted: Wanted): Making {
    const stop = new AbortController();
    const one: Making = { waiting: 0, stop, path: run(wanted, stop.signal) };
    const over = () => {
      if (making.get(wanted.name) === one) making.delete(wanted.name);
    };
    one.path.then(over, over);
    making.set(wanted.name, one);
    return one;
  }

  async function make(wanted: Wanted, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const known = await kept.find(wanted.name);
    if (known !== undefined) return known;
    const one = making.get(wanted.name) ?? begin(wanted);
    one.waiting += 1;
    const leave = () => {
      one.waiting -= 1;
      if (one.waiting > 0) return;
      // Who comes now is not to wait for what is being stopped.
      if (making.get(wanted.name) === one) making.delete(wanted.name);
      one.stop.abort();
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await one.path;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return {
    make,
    get made() {
      return made;
    },
    async close() {
      const open = [...making.values()];
      for (const { stop } of open) stop.abort();
      await Promise.allSettled(open.map(({ path }) => path));
    },
  };
}

const busy = () =>
  new Refusal("SERVICE_UNAVAILABLE", "PDF: too many are being made", {
    reason: "busy",
    headers: { "retry-after": "10" },
  });

const tooCostly = ({ message }: Error) =>
  new Refusal("SERVICE_UNAVAILABLE", `PDF: ${message} to be made`, { reason: "too_costly" });
