/** Values that are made into text in one go: small enough that nobody has to wait for them. */
const SMALL = 2_000;

/**
 * Whether a value holds more values, at any depth, than `most`; without it, than can be made into text in one go. Looks at
 * no more of them.
 */
export function isLarge(value: unknown, most = SMALL): boolean {
  const open = [value];
  for (let count = 0; open.length > 0; count += 1) {
    if (count > most) return true;
    const one = open.pop();
    if (typeof one === "object" && one !== null) for (const name in one) open.push((one as Fields)[name]);
  }
  return false;
}
type Fields = Record<string, unknown>;

/** The text that `JSON.stringify` makes of a value, in pieces of bounded work. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!isPlain(value) || !isLarge(value)) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const list = Array.isArray(value);
  let before = list ? "[" : "{";
  for (const name of Object.keys(value)) {
    const inner = (value as unknown as Fields)[name];
    if (!list && !isWritten(inner)) continue;
    yield list ? before : `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(inner);
    before = ",";
  }
  yield before === "," ? (list ? "]" : "}") : list ? "[]" : "{}";
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !("toJSON" in value);

const isWritten = (value: unknown) =>
  value !== undefined && typeof value !== "function" && typeof value !== "symbol";
