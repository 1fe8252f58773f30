import { type SpawnOptions, spawn } from "node:child_process";

/** How a command went. */
export interface Ran {
  ok: boolean;
  /** What it wrote to standard error, or to standard output when that is empty, or why it did not run. */
  output: string;
}

/** Runs a command to its end, at most `timeout` milliseconds. */
export function run(command: string, args: string[], options: SpawnOptions): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err]: Buffer[][] = [[], []];
    child.stdout?.on("data", (chunk: Buffer) => out?.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err?.push(chunk));
    child.once("error", (error) => resolve({ ok: false, output: error.message }));
    child.once("close", (code) => {
      const output = [err, out].map((chunks) =>
        Buffer.concat(chunks ?? [])
          .toString()
          .trim(),
      );
      resolve({ ok: code === 0, output: output.find(Boolean) ?? "" });
    });
  });
}
