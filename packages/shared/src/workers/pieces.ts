/** About how many characters are made into values, or copied as a text, in one go. */
const PIECE = 250_000;

/** A part of a large value: JSON of entries of a list or object, or a text. What is larger itself came in earlier parts. */
export type Piece = { text: string } | { json: string; holes: Hole[] };

/** A place in a piece that is filled by earlier ones. */
interface Hole {
  path: (string | number)[];
  /** The numbers of the pieces: runs of entries of one list or object, or one text. */
  pieces: number[];
}

interface Encoded {
  json: string;
  holes: Hole[];
}

/**
 * What JSON keeps of a value, in pieces of bounded length, each of which comes after those that it is made of. Only a text
 * is never cut. `assembly` makes the value of them.
 */
export function piecesOf(value: unknown, longest = PIECE): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: Piece) => pieces.push(piece) - 1;

  function encode(value: unknown): Encoded | undefined {
    if (typeof value === "string" && value.length > longest)
      return { json: '""', holes: [{ path: [], pieces: [add({ text: value })] }] };
    if (!isPlain(value) || isSmall(value, longest)) {
      const json = JSON.stringify(value);
      return json === undefined ? undefined : { json, holes: [] };
    }
    return Array.isArray(value) ? encodeList(value) : encodeObject(value);
  }

  function encodeList(list: unknown[]): Encoded {
    const runs = createRuns(["[", "]"]);
    for (const one of list) runs.put(runs.count, "", encode(one) ?? { json: "null", holes: [] });
    return runs.end();
  }

  function encodeObject(object: object): Encoded {
    const runs = createRuns(["{", "}"]);
    for (const [name, one] of Object.entries(object)) {
      const inner = encode(one);
      if (inner) runs.put(name, `${JSON.stringify(name)}:`, inner);
    }
    return runs.end();
  }

  /** Entries of a list or object; as soon as they make a piece, they become one. */
  function createRuns([open, close]: [string, string]) {
    let entries: string[] = [];
    let holes: Hole[] = [];
    let length = 0;
    const done: number[] = [];
    const take = () => {
      const run = { json: `${open}${entries.join(",")}${close}`, holes };
      [entries, holes, length] = [[], [], 0];
      return run;
    };
    return {
      get count() {
        return entries.length;
      },
      put(key: string | number, before: string, { json, holes: inner }: Encoded) {
        entries.push(before + json);
        for (const { path, pieces } of inner) holes.push({ path: [key, ...path], pieces });
        length += before.length + json.length;
        if (length >= longest) done.push(add(take()));
      },
      end(): Encoded {
        if (done.length === 0) return take();
        if (entries.length > 0) done.push(add(take()));
        return { json: open + close, holes: [{ path: [], pieces: done }] };
      },
    };
  }

  // In a list, so that a text or nothing at all can be the whole value.
  const { json, holes } = encode(value) ?? { json: "", holes: [] };
  add({ json: `[${json}]`, holes: holes.map(({ path, pieces }) => ({ path: [0, ...path], pieces })) });
  return pieces;
}

/** Makes the value of its pieces, as they come. */
export interface Assembly {
  add(piece: Piece): void;
  /** The whole value, once its last piece is there. */
  value(): unknown;
}

/** Creates an assembly, which makes a value of the pieces that it was cut into. */
export function createAssembly(): Assembly {
  const made: unknown[] = [];
  return {
    add(piece) {
      if ("text" in piece) {
        made.push(piece.text);
        return;
      }
      const value: Container = JSON.parse(piece.json);
      for (const { path, pieces } of piece.holes)
        fill(
          value,
          path,
          pieces.map((at) => made[at]),
        );
      made.push(value);
    },
    value: () => (made.at(-1) as unknown[])[0],
  };
}

type Container = Record<string | number, unknown>;

function fill(within: Container, path: Hole["path"], parts: unknown[]) {
  let around = within;
  for (const key of path.slice(0, -1)) around = around[key] as Container;
  const last = path.at(-1)!;
  const [first, ...others] = parts;
  // It is there already, so that no name, whatever it is, means anything but a property.
  around[last] = first;
  for (const part of others) join(first as Container, part as Container);
}

function join(to: Container, from: Container) {
  if (Array.isArray(to)) for (const one of from as unknown as unknown[]) to.push(one);
  else
    for (const name of Object.keys(from))
      Object.defineProperty(to, name, {
        value: from[name],
        enumerable: true,
        configurable: true,
        writable: true,
      });
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !("toJSON" in value);

/** Whether a value makes one piece at most; looks at no more of it than that. */
function isSmall(value: object, longest: number): boolean {
  const open: unknown[] = [value];
  let length = 0;
  while (open.length > 0) {
    const one = open.pop();
    length += typeof one === "string" ? one.length + 3 : 5;
    if (typeof one === "object" && one !== null)
      for (const name in one) {
        if (!Array.isArray(one)) length += name.length + 3;
        open.push((one as Container)[name]);
        if (length + open.length > longest) return false;
      }
    if (length > longest) return false;
  }
  return true;
}
