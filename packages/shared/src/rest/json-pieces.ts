/** Values that are made into text in one go: small enough that nobody has to wait for them. */
const SMALL = 4_000;

/**
 * Whether a value holds more values, at any depth, than `most`; without it, than can be made into text in one go. Looks at
 * no more of them.
 */
export const isLarge = (value: unknown, most = SMALL): boolean => countOf(value, most) > most;

/** How many values are in a value, at any depth; looks at no more than one above `most`. */
function countOf(value: unknown, most: number): number {
  let count = 0;
  const open = typeof value === "object" ? [value as Fields] : [];
  while (open.length > 0) {
    const one = open.pop()!;
    for (const name in one) {
      count += 1;
      if (count > most) return count;
      const inner = one[name] as Fields | null;
      if (typeof inner === "object" && inner !== null) open.push(inner);
    }
  }
  return count;
}
type Fields = Record<string, unknown>;

/** The text that `JSON.stringify` makes of a value, in pieces of bounded work. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!isPlain(value) || !isLarge(value)) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) yield* piecesOfList(value);
  else yield* piecesOfObject(value as Fields);
}

/** Of small entries as many make a piece as may be made in one go. */
function* piecesOfList(list: unknown[]): Generator<string> {
  let before = "[";
  let run: unknown[] = [];
  let count = 0;
  function* close() {
    if (run.length === 0) return;
    yield before + JSON.stringify(run).slice(1, -1);
    before = ",";
    run = [];
    count = 0;
  }
  for (const entry of list) {
    const size = 1 + countOf(entry, SMALL);
    if (count + size > SMALL) yield* close();
    if (size <= SMALL) {
      run.push(entry);
      count += size;
      continue;
    }
    yield before;
    yield* jsonPieces(entry);
    before = ",";
  }
  yield* close();
  yield "]";
}

function* piecesOfObject(value: Fields): Generator<string> {
  let before = "{";
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (!isWritten(inner)) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(inner);
    before = ",";
  }
  yield before === "," ? "}" : "{}";
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !("toJSON" in value);

const isWritten = (value: unknown) =>
  value !== undefined && typeof value !== "function" && typeof value !== "symbol";
