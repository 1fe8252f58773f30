import { setImmediate as turn } from "node:timers/promises";
import { userWith } from "@octavo/shared/testing/service";
import { expect, test } from "vitest";
import { createWholeReads } from "./whole-reads.js";

const by = (id: string) => ({
  caller: userWith({ acme: "read" }, { id, teams: [], token: `token of ${id}` }),
});

test("a caller's reads of whole spaces are done one after the other, those of others beside them", async () => {
  const wholeReads = createWholeReads();
  const begun: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((done) => {
    finish = done;
  });
  const read = (id: string) =>
    wholeReads(by(id), async () => {
      begun.push(id);
      await held;
      return id;
    });
  const reads = [read("a"), read("a"), read("b"), read("a"), read("c")];
  await turn();
  expect(begun).toEqual(["a", "b", "c"]);
  finish();
  expect(await Promise.all(reads)).toEqual(["a", "a", "b", "a", "c"]);
});

test("a read whose turn does not come in time is refused 503, and one that fails gives its turn back", async () => {
  const wholeReads = createWholeReads({ atATime: 1, waitMs: 10 });
  let fail = (_: Error) => {};
  const failing = wholeReads(by("a"), () => new Promise((_, reject) => (fail = reject)));
  await expect(wholeReads(by("b"), async () => "b")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  fail(new Error("broken"));
  await expect(failing).rejects.toThrow("broken");
  expect(await wholeReads(by("b"), async () => "b")).toBe("b");
});
