import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";

const longest = 10 * 1024 * 1024;

const folderOf = (dataDir: string) => join(dataDir, "logs");

/** The log file of a process, in the data directory. */
export function logFileOf(dataDir: string, name: string): string {
  const directory = folderOf(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return join(directory, `${name}.log`);
}

/** Puts logs that have grown past 10 MB aside as `.1`, by copying them: who writes to one keeps the file open. */
export function turnLogs(dataDir: string): void {
  const logs = readdirSync(folderOf(dataDir)).filter((name) => name.endsWith(".log"));
  for (const file of logs.map((name) => join(folderOf(dataDir), name))) {
    if (sizeOf(file) <= longest) continue;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  }
}

/** The last lines of a file, of those written after the first `from` bytes; empty when there is none. */
export function tailOf(file: string, { lines = 20, from = 0 } = {}): string {
  const size = sizeOf(file);
  // A log that was turned meanwhile is shorter than it was.
  const start = Math.max(from > size ? 0 : from, size - 16 * 1024);
  const buffer = Buffer.alloc(Math.max(0, size - start));
  if (buffer.length === 0) return "";
  const handle = openSync(file, "r");
  readSync(handle, buffer, 0, buffer.length, start);
  closeSync(handle);
  return buffer.toString("utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

/** Bytes in the file; 0 when there is none. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
