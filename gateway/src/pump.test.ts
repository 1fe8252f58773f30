import { PassThrough, Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createPieces, pump } from "./pump.js";

test("in one turn of the event loop each party has one piece of its work done, first come, first served", async () => {
  const pieces = createPieces();
  const done: string[] = [];
  for (const piece of ["a1", "a2", "a3", "b1", "b2"]) pieces(piece[0]!, () => done.push(piece));
  const turns: string[][] = [];
  for (let at = 0; at < 4; at++) {
    await turn();
    turns.push(done.splice(0));
  }
  expect(turns).toEqual([["a1", "b1"], ["a2", "b2"], ["a3"], []]);
});

test("parties that are paced have a piece done in a millisecond, however many turns it has", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const pieces = createPieces(() => true);
    const done: string[] = [];
    for (const piece of ["a1", "a2", "b1"]) pieces(piece[0]!, () => done.push(piece));
    for (let at = 0; at < 4; at++) await turn();
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(["a1", "b1"]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(["a1", "b1", "a2"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a piece that asks for another waits until the others of its party had theirs", async () => {
  const pieces = createPieces();
  const done: string[] = [];
  const work = (name: string, times: number) =>
    pieces("a", () => {
      done.push(name);
      if (times > 1) work(name, times - 1);
    });
  work("long", 3);
  work("short", 1);
  await expect.poll(() => done).toEqual(["long", "short", "long", "long"]);
});

test("long bodies of one party that are there at once pass beside one of another, piece by piece", async () => {
  const pieces = createPieces();
  const passed: string[] = [];
  const body = (party: string) => {
    const chunks = Array.from({ length: 8 }, () => Buffer.alloc(70_000));
    const target = new Writable({
      write: (_chunk, _encoding, done) => {
        passed.push(party);
        done();
      },
    });
    pump(Readable.from(chunks, { objectMode: false }), target, (piece) => pieces(party, piece));
    return finished(target);
  };
  await Promise.all([...Array.from({ length: 10 }, () => body("many")), body("one")]);
  // Those of the other party had no more than their pieces of as many turns.
  const before = passed.slice(0, passed.lastIndexOf("one"));
  expect(before.filter((party) => party === "many").length).toBeLessThanOrEqual(2 * 8);
  expect(passed.filter((party) => party === "many").length).toBeGreaterThan(4 * 8);
});

test("a target that takes no more gets nothing until it does, and then the rest", async () => {
  const pieces = createPieces();
  const sent = Array.from({ length: 20 }, (_, at) => Buffer.alloc(10_000, at));
  const target = new PassThrough({ highWaterMark: 20_000 });
  pump(Readable.from(sent, { objectMode: false }), target, (piece) => pieces("a", piece));
  for (let at = 0; at < 50; at++) await turn();
  expect(target.writableLength + target.readableLength).toBeLessThan(100_000);
  const got: Buffer[] = [];
  for await (const chunk of target) got.push(chunk);
  expect(Buffer.concat(got).equals(Buffer.concat(sent))).toBe(true);
});

test("a source without a byte ends its target", async () => {
  const pieces = createPieces();
  const target = new PassThrough();
  pump(Readable.from([], { objectMode: false }), target, (piece) => pieces("a", piece));
  const got: Buffer[] = [];
  for await (const chunk of target) got.push(chunk);
  expect(got).toEqual([]);
});
