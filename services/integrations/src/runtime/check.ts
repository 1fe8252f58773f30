import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const WITHIN_MS = 20_000;

/**
 * Parses a script without running it, apart from this process: the first mistake with its line, undefined when there is
 * none. Modules and scripts are parsed as the generations are run.
 */
export async function checkScript(generation: "v1" | "v2", source: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-check-"));
  try {
    const file = join(folder, generation === "v2" ? "script.mjs" : "script.cjs");
    await writeFile(file, source);
    const complaint = await parse(file);
    if (complaint === undefined) return undefined;
    const line = /script\.[cm]js:(\d+)/.exec(complaint)?.[1] ?? "?";
    const message = /^\w*Error: .*$/m.exec(complaint)?.[0] ?? "it does not parse";
    return `line ${line}: ${message.slice(0, 300)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What node says about a file that it does not parse. */
const parse = (file: string) =>
  new Promise<string | undefined>((resolve) => {
    const options = { timeout: WITHIN_MS, maxBuffer: 16 * 1024 * 1024, env: {} };
    execFile(process.execPath, ["--check", file], options, (error, _, stderr) =>
      resolve(error ? stderr || String(error.message) : undefined),
    );
  });
