import { expect, test } from "vitest";
import { createTurns } from "./turns.js";
import { waitForTurn } from "./wait-for-turn.js";

const LONG = 60_000;

test("a turn that is free comes at once, and the next one when it is given back", async () => {
  const turns = createTurns(1);
  const leave = await waitForTurn(turns, "one", { waitMs: LONG });
  const next = waitForTurn(turns, "other", { waitMs: LONG });
  leave!();
  expect(await next).toBeTypeOf("function");
});

test("who waits too long gets none, and holds up nobody behind", async () => {
  const turns = createTurns(1);
  const leave = await waitForTurn(turns, "one", { waitMs: LONG });
  expect(await waitForTurn(turns, "late", { waitMs: 5 })).toBeUndefined();
  const next = waitForTurn(turns, "other", { waitMs: LONG });
  leave!();
  expect(await next).toBeTypeOf("function");
});

test("a client that leaves gets none; one that leaves later keeps its turn", async () => {
  const turns = createTurns(1);
  const [first, second] = [new AbortController(), new AbortController()];
  const leave = await waitForTurn(turns, "one", { waitMs: LONG, signal: first.signal });
  first.abort();
  const waiting = waitForTurn(turns, "other", { waitMs: LONG, signal: second.signal });
  second.abort();
  expect(await waiting).toBeUndefined();
  const third = waitForTurn(turns, "third", { waitMs: LONG });
  leave!();
  expect(await third).toBeTypeOf("function");
});
