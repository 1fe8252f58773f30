import type { IncomingMessage, ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { keptResponse } from "../testing.js";
import { createWholeSpaces } from "./whole-spaces.js";

const req = { method: "GET", headers: {} } as IncomingMessage;
const [type, cache] = ["text/plain", "no-store"];

/** Responses of three pages each, which are made when the test says so; which of them are being made. */
function createSpaces(options?: Parameters<typeof createWholeSpaces>[0]) {
  const wholeSpaces = createWholeSpaces(options);
  const made: string[] = [];
  const goOn: Record<string, () => void> = {};
  const fail: Record<string, (error: Error) => void> = {};
  async function* texts(name: string) {
    for (const page of [1, 2, 3]) {
      made.push(name);
      await new Promise<void>((resolve, reject) => {
        goOn[name] = resolve;
        fail[name] = reject;
      });
      made.splice(made.indexOf(name), 1);
      yield `${name} ${page}\n`;
    }
  }
  const send = (name: string, party: string, res = keptResponse().res) =>
    wholeSpaces.send({ req, res }, party, { type, cache, texts: texts(name) });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await later();
  };
  return { send, made, goOn, fail, settle };
}

test("one page of a site is made at a time, of several sites a few, and their responses take turns", async () => {
  const { send, made, goOn, settle } = createSpaces({ atOnce: 2 });
  const { res, sent } = keptResponse();
  const all = [send("a", "one", res), send("b", "one"), send("c", "two"), send("d", "three")];
  await settle();
  expect(made).toEqual(["a", "c"]);
  const rounds: string[] = [];
  while (made.length > 0) {
    rounds.push(made.toSorted().join(" "));
    goOn[made[0]!]!();
    await settle();
  }
  expect(rounds.slice(0, 4)).toEqual(["a c", "b c", "b d", "a d"]);
  expect(rounds).not.toContain("a b");
  await Promise.all(all);
  expect(sent.text()).toBe("a 1\na 2\na 3\n");
});

test("beyond what may be under way nothing is begun, and others have theirs, until one has ended or left", async () => {
  const { send, made, goOn, fail, settle } = createSpaces({ most: 6, atOnce: 6 });
  const { res } = keptResponse();
  const [first, second] = [send("a", "one"), send("b", "one", res)];
  await expect(send("c", "one")).rejects.toThrow("too many");
  const other = send("d", "two");
  await settle();
  expect(made).toEqual(["a", "b", "d"]);
  fail.a!(new Error("away"));
  await expect(first).rejects.toThrow("away");
  const third = send("e", "one");
  await expect(send("f", "one")).rejects.toThrow("too many");
  goOn.b!();
  await settle();
  res.destroy();
  goOn.b!();
  await second;
  const fourth = send("g", "one");
  await settle();
  expect(made.toSorted()).toEqual(["a", "d", "e", "g"]);
  for (const name of ["d", "e", "g"]) fail[name]!(new Error("end"));
  expect((await Promise.allSettled([other, third, fourth])).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
    "rejected",
  ]);
});

test("whoever does not read holds no turn", async () => {
  const { send, made, goOn, settle } = createSpaces({ atOnce: 1 });
  const stalled = new Writable({ highWaterMark: 1, write: () => {} });
  // Cast: the little of a response that is called.
  const res = Object.assign(stalled, {
    writeHead: () => stalled,
    flushHeaders() {},
  }) as unknown as ServerResponse;
  const slow = send("slow", "one", res);
  await settle();
  while (made.length > 0) {
    goOn.slow!();
    await settle();
  }
  const other = send("other", "two");
  for (let page = 0; page < 3; page += 1) {
    await settle();
    expect(made).toEqual(["other"]);
    goOn.other!();
  }
  await other;
  res.destroy();
  await slow;
});
