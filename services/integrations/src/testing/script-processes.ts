import { readdirSync, readFileSync } from "node:fs";

interface Process {
  pid: number;
  /** The one that started it, and waits for its end. */
  parent: number;
}

/** The processes that run scripts for a process of ours, without those that have ended; on Linux alone. */
export function scriptProcesses(of: number): Process[] {
  const all = new Map<number, { name: string; state: string; parent: number }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    // The name may contain spaces and parentheses.
    const [, name, state, parent] = /\((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    if (name && state) all.set(Number(pid), { name, state, parent: Number(parent) });
  }
  const within = (pid: number): boolean => pid === of || (all.has(pid) && within(all.get(pid)!.parent));
  return [...all]
    .filter(([pid, { name, state }]) => name.startsWith("workerd") && state !== "Z" && within(pid))
    .map(([pid, { parent }]) => ({ pid, parent }));
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
