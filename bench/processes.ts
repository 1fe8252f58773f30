import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** CPU time that a process has used so far, user and system, in microseconds; 0 when it is gone. */
export function cpuOf(pid: number): number {
  try {
    const { user, system } = statOf(pid);
    return ((user + system) / ticksPerSecond) * 1e6;
  } catch {
    return 0;
  }
}

/** Memory of a process in MB: what it holds now, the most it held since `forgetPeak`, and its part of what is shared. */
export function memoryOf(pid: number): { rss: number; peak: number; share: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return {
    rss: field(status, "VmRSS") / 1024,
    peak: field(status, "VmHWM") / 1024,
    share: field(rollup, "Pss") / 1024,
  };
}

/** Lets the peak of a process begin anew from what it holds now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** A process and all that came out of it, as ids. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), statOf(Number(name)).parent);
    } catch {
      // It ended meanwhile.
    }
  }
  const family = [pid];
  for (const one of family) {
    for (const [child, parent] of parents) if (parent === one) family.push(child);
  }
  return family;
}

// The name of the program stands in brackets and may hold blanks: fields are counted from behind it.
function statOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1]!, user: fields[11]!, system: fields[12]! };
}
