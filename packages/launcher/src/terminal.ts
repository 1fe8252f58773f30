const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const painted = (code: number, text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Prints one line of progress. */
export const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Prints a line that asks for attention. */
export const warn = (line: string) => void process.stderr.write(`${painted(33, "!")} ${line}\n`);

/** Does a step and prints that it is done, and how long it took. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const since = Date.now();
  const result = await work();
  say(`${painted(32, "✓")} ${name} ${painted(2, `(${seconds(since)})`)}`);
  return result;
}

/** Time since then, as "1.2 s". */
export const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
