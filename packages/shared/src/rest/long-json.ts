import { createPool } from "../workers/pool.js";
import { type Parsed, parseJson } from "./json-parse.js";

/** Bytes from which on JSON is parsed on another thread: some ms of work for the worst of them. */
const LONG = 1024 * 1024;

export interface LongJson {
  /** Parses JSON: short texts at once, long ones on another thread, which takes the memory of their bytes over. */
  parse(bytes: Buffer): Parsed | Promise<Parsed>;
  /** How much was done on another thread so far. */
  readonly done: number;
  close(): Promise<void>;
}

/** Creates a parser of JSON that parses texts of `long` bytes (1 MiB) or more on another thread. */
export function createLongJson({ long = LONG } = {}): LongJson {
  const module = new URL(`./json-thread${import.meta.url.slice(-3)}`, import.meta.url);
  const pool = createPool({ module, subject: "Body", threads: 1 });
  return {
    parse: (bytes) =>
      bytes.length < long
        ? parseJson(bytes)
        : (pool.run("parseJson", bytes, [bytes.buffer as ArrayBuffer]) as Promise<Parsed>),
    close: pool.close,
    get done() {
      return pool.done;
    },
  };
}
