import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, isAlive, stopProcess } from "./processes.js";

interface Child {
  name: string;
  pid: number;
  command: string;
}

const fileOf = (dataDir: string) => join(dataDir, "children.json");

/** Writes down who runs for this data directory, for a successor that finds them without their launcher. */
export function recordChildren(dataDir: string, children: { name: string; pid: number | undefined }[]): void {
  const known = children.flatMap(({ name, pid }): Child[] => {
    const command = pid ? commandOf(pid) : undefined;
    return pid && command ? [{ name, pid, command }] : [];
  });
  writeFileSync(fileOf(dataDir), JSON.stringify(known), { mode: 0o600 });
}

/** Stops the processes that a killed launcher left behind, and returns their names. */
export async function stopLeftChildren(dataDir: string): Promise<string[]> {
  if (!existsSync(fileOf(dataDir))) return [];
  const left = read(fileOf(dataDir)).filter(({ pid, command }) => isAlive(pid) && commandOf(pid) === command);
  await Promise.all(left.map(({ pid }) => stopProcess(pid, "SIGTERM", 10_000)));
  return left.map(({ name }) => name);
}

function read(file: string): Child[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Child[];
  } catch {
    return [];
  }
}
