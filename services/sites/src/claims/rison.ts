// Rison is JSON for addresses: `(plan:pro,beta:!t,tags:!(a,b))`. Source: https://github.com/Nanonid/rison

/** Values in each other. */
const DEEPEST = 10;
/** Characters of the longest text that is read. */
export const LONGEST_RISON = 4096;

interface Cursor {
  text: string;
  at: number;
  depth: number;
}

class RisonError extends Error {}
const fail = (message: string): never => {
  throw new RisonError(message);
};

/** A text without quotes; numbers look the same. */
const WORD = /[^\s'!(),:*@$]+/uy;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/;

/** Reads Rison: its value, or what is wrong with it and where. */
export function readRison(text: string): { value: unknown } | { problem: string } {
  if (text.length > LONGEST_RISON) return { problem: `longer than ${LONGEST_RISON} characters` };
  const cursor = { text, at: 0, depth: 0 };
  try {
    const value = valueAt(cursor);
    return cursor.at < text.length ? { problem: `nothing may follow at ${cursor.at + 1}` } : { value };
  } catch (error) {
    if (error instanceof RisonError) return { problem: error.message };
    throw error;
  }
}

function valueAt(cursor: Cursor): unknown {
  cursor.depth += 1;
  if (cursor.depth > DEEPEST) fail("nested too deeply");
  const value = take(cursor, "(") ? object(cursor) : take(cursor, "!") ? marked(cursor) : scalar(cursor);
  cursor.depth -= 1;
  return value;
}

function marked(cursor: Cursor): unknown {
  if (take(cursor, "t")) return true;
  if (take(cursor, "f")) return false;
  if (take(cursor, "n")) return null;
  return take(cursor, "(") ? list(cursor) : fail(`"!" stands for nothing at ${cursor.at}`);
}

function list(cursor: Cursor): unknown[] {
  const items: unknown[] = [];
  if (take(cursor, ")")) return items;
  do items.push(valueAt(cursor));
  while (take(cursor, ","));
  expect(cursor, ")");
  return items;
}

function object(cursor: Cursor): Record<string, unknown> {
  const made = Object.create(null) as Record<string, unknown>;
  if (take(cursor, ")")) return made;
  do {
    const key = take(cursor, "'") ? quoted(cursor) : word(cursor);
    expect(cursor, ":");
    made[key] = valueAt(cursor);
  } while (take(cursor, ","));
  expect(cursor, ")");
  return made;
}

function scalar(cursor: Cursor): string | number {
  if (take(cursor, "'")) return quoted(cursor);
  const text = word(cursor);
  return NUMBER.test(text) ? Number(text) : text;
}

function quoted(cursor: Cursor): string {
  let text = "";
  for (;;) {
    const character = cursor.text[cursor.at] ?? fail("a text is not closed");
    cursor.at += 1;
    if (character === "'") return text;
    if (character !== "!") text += character;
    else if (take(cursor, "!")) text += "!";
    else if (take(cursor, "'")) text += "'";
    else fail(`"!" stands for nothing at ${cursor.at}`);
  }
}

function word(cursor: Cursor): string {
  WORD.lastIndex = cursor.at;
  const text = WORD.exec(cursor.text)?.[0] ?? fail(`a value is missing at ${cursor.at + 1}`);
  cursor.at += text.length;
  return text;
}

function take(cursor: Cursor, mark: string): boolean {
  const here = cursor.text.startsWith(mark, cursor.at);
  if (here) cursor.at += mark.length;
  return here;
}

function expect(cursor: Cursor, mark: string): void {
  if (!take(cursor, mark)) fail(`"${mark}" is missing at ${cursor.at + 1}`);
}
