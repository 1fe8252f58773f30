import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAbreast, type End } from "./abreast.js";
import { ada, startGateway, TOKEN } from "./testing.js";

/** Requests that are worked on until they are told to end. */
function requests({ countedMs = 60_000, now = (): number => 0 } = {}) {
  const abreast = createAbreast({ first: 2, countedMs, now });
  const running: string[] = [];
  const ends = new Map<string, End>();
  return {
    running,
    send(...names: string[]) {
      for (const name of names)
        ends.set(
          name,
          abreast.enter(name[0]!, () => running.push(name)),
        );
    },
    end(name: string, how: "responded" | "gone" = "gone") {
      if (running.includes(name)) running.splice(running.indexOf(name), 1);
      ends.get(name)!(how);
    },
  };
}

test("a party that is alone has all its requests worked on", () => {
  const { running, send } = requests();
  send("a1", "a2", "a3", "a4");
  expect(running).toEqual(["a1", "a2", "a3", "a4"]);
});

test("while another party is there, the requests of one wait for its own, in their order, and not for those of others", () => {
  const { running, send, end } = requests();
  send("b1", "a1", "a2", "a3", "a4", "b2");
  expect(running).toEqual(["b1", "a1", "a2", "b2"]);
  end("b1");
  expect(running).toEqual(["a1", "a2", "b2"]);
  end("a2");
  expect(running).toEqual(["a1", "b2", "a3"]);
});

test("a party that asked a moment ago is taken into account, one that asked before is not any more", () => {
  let time = 0;
  const { running, send, end } = requests({ now: () => time });
  send("b1");
  end("b1");
  time = 900;
  send("a1", "a2", "a3", "a4");
  expect(running).toEqual(["a1", "a2"]);
  time = 1_100;
  send("a5");
  expect(running).toEqual(["a1", "a2", "a5"]);
  end("a1");
  expect(running).toEqual(["a2", "a5", "a3", "a4"]);
});

test("of short requests a party has many worked on beside another, of long ones few", () => {
  let time = 0;
  const { running, send, end } = requests({ now: () => time });
  send("b1", "a1");
  time = 4;
  // Two were worked on for 4 ms: one takes the service 2, and four of them take no more than 5 ms longer than one.
  end("a1", "responded");
  send("a-short-1", "a-short-2", "a-short-3", "a-short-4", "a-short-5", "a-short-6");
  expect(running).toEqual(["b1", "a-short-1", "a-short-2", "a-short-3", "a-short-4", "a-short-5"]);
  end("a-short-6");
  time = 5_000;
  for (const name of [...running].slice(1)) end(name, "responded");
  send("a-long-1", "a-long-2", "a-long-3");
  expect(running.filter((name) => name.startsWith("a")).length).toBe(1);
});

test("a party whose requests wait for something else has more and more worked on, until they wait for each other", () => {
  let time = 0;
  const { running, send, end } = requests({ now: () => time });
  send("b1");
  /** Sends twenty requests, each of which takes 8 ms and half a millisecond of the service, and returns how many began. */
  const round = (): number => {
    send(...Array.from({ length: 20 }, (_, at) => `a${at}`));
    const begun = running.length - 1;
    time += Math.max(8, begun / 2);
    for (let at = begun; at < 20; at += 1) end(`a${at}`);
    for (const name of running.slice(1)) end(name, "responded");
    return begun;
  };
  const rounds = Array.from({ length: 60 }, round);
  expect(rounds[0]).toBe(2);
  expect(rounds.at(-1)).toBe(20);
});

test("what the requests of a party take while it sends many at a time is not taken for what one of them takes", () => {
  let time = 0;
  const { running, send, end } = requests({ now: () => time });
  const all = Array.from({ length: 20 }, (_, at) => `a${at}`);
  send(...all);
  time = 80;
  for (const name of all) end(name, "responded");
  // One takes the service more than 5 ms, as far as is known, and not the 80 that it took among all of them.
  send("b1", ...all);
  expect(running).toEqual(["b1", "a0"]);
});

test("one request that took long does not have its party wait for each of its requests", () => {
  let time = 0;
  const { running, send, end } = requests({ now: () => time });
  send("b1", "a1");
  time = 1;
  end("a1", "responded");
  send("a2");
  time = 101;
  end("a2", "responded");
  send(...Array.from({ length: 9 }, (_, at) => `a-again-${at}`));
  expect(running.filter((name) => name.startsWith("a-again")).length).toBe(5);
});

test("a request that is given up says nothing of what the requests of its party take", () => {
  const { running, send, end } = requests();
  send("b1", "a1");
  end("a1", "gone");
  send("a2", "a3", "a4");
  expect(running).toEqual(["b1", "a2", "a3"]);
});

test("a request that takes long makes room for one other of its party, not for all that wait", async () => {
  const began = new Map<string, number>();
  const abreast = createAbreast({ first: 1, countedMs: 50 });
  for (const name of ["b1", "a1", "a2", "a3", "a4"])
    abreast.enter(name[0]!, () => began.set(name, performance.now()));
  expect([...began.keys()]).toEqual(["b1", "a1"]);
  await expect.poll(() => [...began.keys()]).toEqual(["b1", "a1", "a2", "a3", "a4"]);
  const times = [...began.values()].slice(1);
  for (const [at, time] of times.entries()) expect(time - times[0]!).toBeGreaterThan(at * 50 - 5);
});

test("a party that has more to do after a long request rests as long as that took, while another party is there", async () => {
  let time = 0;
  const { running, send, end } = requests({ now: () => time });
  send("b1", "a1", "a2", "a3");
  time = 120;
  end("a1", "responded");
  end("a2", "responded");
  expect(running).toEqual(["b1"]);
  time = 240;
  await expect.poll(() => running).toEqual(["b1", "a3"]);
});

test("a request that is not wanted any more while it waits is never worked on, and takes no place", async () => {
  const { running, send, end } = requests({ countedMs: 20 });
  send("b1", "a1", "a2", "a3", "a4");
  end("a3");
  end("a1");
  await sleep(50);
  expect(running).toEqual(["b1", "a2", "a4"]);
});

test("a service has few requests of a user at a time while it has one of another, until it has responded", async () => {
  const arrived: { path: string; res: ServerResponse }[] = [];
  const other = `${TOKEN}-of-bob`;
  const gateway = await startGateway({
    upstream: (req, res) => void arrived.push({ path: req.url!, res }),
    resolve: async (token) => ({ caller: token === other ? { ...ada, id: "bob", token: "token2" } : ada }),
    countedMs: 60_000,
    timeoutMs: 60_000,
  });
  const get = (path: string, token: string) =>
    fetch(`${gateway.url}/v1/spaces/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const sent = [get("bob", other)];
  await expect.poll(() => arrived.length).toBe(1);
  for (let at = 0; at < 9; at++) sent.push(get(`ada-${at}`, TOKEN));
  await expect.poll(() => arrived.length).toBe(5);
  await sleep(100);
  expect(arrived.length).toBe(5);
  // What is still sent of a response is no work any more. What took so long is worked on one at a time.
  for (const at of [1, 2, 3, 4]) arrived[at]!.res.writeHead(200).write("begun");
  await expect.poll(() => arrived.length).toBe(6);
  await sleep(50);
  expect(arrived.length).toBe(6);
  for (let at = 0; at < sent.length; at++) {
    await expect.poll(() => arrived.length).toBeGreaterThan(at);
    arrived[at]!.res.end();
  }
  for (const response of await Promise.all(sent)) expect(response.status).toBe(200);
  await gateway.stop();
});
