import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

const longest = 10 * 1024 * 1024;

/** The log file of a process, in the data directory. One that has grown past 10 MB is put aside as `.1`. */
export function logFileOf(dataDir: string, name: string): string {
  const directory = join(dataDir, "logs");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${name}.log`);
  if (sizeOf(file) > longest) renameSync(file, `${file}.1`);
  return file;
}

/** The last lines of a file, of those written after the first `from` bytes; empty when there is none. */
export function tailOf(file: string, { lines = 20, from = 0 } = {}): string {
  const size = sizeOf(file);
  const start = Math.max(from, size - 16 * 1024);
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
