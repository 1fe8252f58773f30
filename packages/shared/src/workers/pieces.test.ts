import { expect, test } from "vitest";
import { createAssembly, type Piece, piecesOf } from "./pieces.js";

function assembled(pieces: Piece[]): unknown {
  const assembly = createAssembly();
  for (const piece of pieces) assembly.add(piece);
  return assembly.value();
}

const lengthOf = (piece: Piece) => ("text" in piece ? piece.text : piece.json).length;

/** A value whose shape a number decides. */
function madeOf(seed: number, depth = 0): unknown {
  let state = seed * 7919 + depth + 1;
  const next = (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const kind = next(depth > 3 ? 5 : 8);
  if (kind === 0) return next(2) === 0;
  if (kind === 1) return next(2) === 0 ? null : undefined;
  if (kind === 2) return next(1_000) / 7;
  if (kind <= 4) return '"\\ü😀\n'.repeat(next(9));
  if (kind === 5) return Array.from({ length: next(9) }, (_, at) => madeOf(state + at, depth + 1));
  const names = ["7", "__proto__", "toString", "a b", '"', "constructor", "nodes", "é"];
  return Object.fromEntries(names.map((name, at) => [name, madeOf(state + at, depth + 1)]));
}

test("pieces make the value that JSON would make", () => {
  let most = 0;
  for (let seed = 0; seed < 300; seed += 1) {
    const value = madeOf(seed);
    const json = JSON.stringify(value);
    for (const longest of [10, 200, 3_000]) {
      const pieces = piecesOf(value, longest);
      most = Math.max(most, pieces.length);
      const made = assembled(pieces);
      expect(JSON.stringify(made), `${seed}`).toBe(json);
      expect(made, `${seed}`).toEqual(json === undefined ? undefined : JSON.parse(json));
    }
  }
  expect(most).toBeGreaterThan(100);
});

test("what is small is one piece", () => {
  for (const value of [undefined, null, 1, "words", [], {}, { nodes: [{ text: "words" }] }, new Date(0)])
    expect(piecesOf(value)).toHaveLength(1);
});

test("no piece is long, wherever the value is", () => {
  const item = { object: "block", type: "list-item", nodes: [{ object: "text", text: "some words" }] };
  const list = { object: "block", nodes: Array.from({ length: 20_000 }, () => item) };
  const nested = Array.from({ length: 100 }).reduce<object>(
    (inner, _, at) => ({ at, text: "x".repeat(900), nodes: [inner] }),
    list,
  );
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`name ${at}`, at]));
  for (const value of [list, { nodes: [list, list] }, nested, names, list.nodes.map(() => [])]) {
    const pieces = piecesOf(value, 50_000);
    expect(pieces.length).toBeGreaterThanOrEqual(1);
    expect(Math.max(...pieces.map(lengthOf))).toBeLessThan(2 * 50_000 + 1_000);
    expect(JSON.stringify(assembled(pieces)) === JSON.stringify(value)).toBe(true);
  }
});

test("a long text is never made into JSON", () => {
  const text = '"\n'.repeat(1_000_000);
  for (const value of [text, { source: { text } }]) {
    const pieces = piecesOf(value);
    expect(pieces.map((piece) => "text" in piece)).toEqual([true, false]);
    expect(JSON.stringify(assembled(pieces)) === JSON.stringify(value)).toBe(true);
  }
});
