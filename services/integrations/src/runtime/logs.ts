import { z } from "zod";
import type { TraceLog } from "../schemas/event.js";

/** Entries that are kept of one event. */
const MOST_ENTRIES = 200;
/** Characters of one entry, and of all. */
const LONGEST = 2_000;
const MOST_CHARACTERS = 64_000;

const entry = z.object({ level: z.string(), timestamp: z.number(), message: z.unknown() });
const exception = z.object({ name: z.string(), message: z.string(), timestamp: z.number() });

/** What the process reports about one event that a script has finished. */
export const Traces = z.array(
  z.object({
    delivery: z.string().optional(),
    outcome: z.string(),
    logs: z.array(entry),
    exceptions: z.array(exception),
  }),
);
type Trace = z.output<typeof Traces>[number];

/** What a script logged and threw, in its order; what is too much of it is cut, and the cut is logged. */
export function logsOf({ logs, exceptions }: Trace): TraceLog[] {
  const thrown = exceptions.map(({ name, message, timestamp }) => ({
    level: "error",
    message: `${name}: ${message}`,
    timestamp,
  }));
  const all = [...logs, ...thrown].sort((one, other) => one.timestamp - other.timestamp);
  const kept: TraceLog[] = [];
  let characters = 0;
  for (const { level, message, timestamp } of all) {
    const text = textOf(message).slice(0, LONGEST);
    characters += text.length;
    const time = new Date(timestamp).toISOString();
    if (kept.length === MOST_ENTRIES || characters > MOST_CHARACTERS) {
      const left = all.length - kept.length;
      kept.push({ level: "warn", message: `${left} further entries were left out`, timestamp: time });
      break;
    }
    kept.push({ level: levelOf(level), message: storable(text), timestamp: time });
  }
  return kept;
}

function textOf(message: unknown): string {
  const parts = Array.isArray(message) ? message : [message];
  return parts.map((part) => (typeof part === "string" ? part : (JSON.stringify(part) ?? ""))).join(" ");
}

/** What PostgreSQL keeps of a text. */
const storable = (text: string) => text.replaceAll("\0", "\ufffd");

const levelOf = (level: string): TraceLog["level"] =>
  level === "debug" || level === "warn" || level === "error" ? level : "info";
