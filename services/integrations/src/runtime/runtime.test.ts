import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createEgress } from "@octavo/shared/egress/client";
import { newId } from "@octavo/shared/ids";
import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { multipart } from "../events/multipart.js";
import { around } from "../testing/identities.js";
import { listen, shut } from "../testing/listening.js";
import { scriptProcesses } from "../testing/script-processes.js";
import { checkScript } from "./check.js";
import { noRuntime, type Runtime, ScriptFailed } from "./runtime.js";
import { startRuntime } from "./start.js";

let runtime: Runtime;
/** One whose scripts may take as long as a slow machine needs for what takes no time. */
let patient: Runtime;
/** An outside world: public to the egress client, and one that responds in the name of the API. */
const seen: { url: string; host?: string; authorization?: string }[] = [];
/** Requests to the interface that wait for a response. */
const slow: ServerResponse[] = [];
/** How often a script asked which time it is run. */
let times = 0;
const world = createServer((req, res) => {
  const { host, authorization } = req.headers;
  if (req.url === "/times") return void res.end(String(++times));
  if (req.url === "/v1/slow") return void slow.push(res);
  seen.push({ url: req.url!, host, authorization });
  if (req.url === "/v1/user") res.end("the interface");
  else if (req.url?.startsWith("/redirect/")) {
    const next = Number(req.url.slice("/redirect/".length)) + 1;
    res.writeHead(302, { location: `/redirect/${next}` }).end();
  } else if (req.url === "/inside") res.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
  else res.end("hello");
});
let address: string;

beforeAll(async () => {
  address = await listen(world);
  const options = {
    egress: createEgress({ allow: ["127.0.0.0/8"] }),
    log: around.log,
    apiEndpoint: "https://octavo.test",
    gatewayUrl: address,
    memory: 768,
  };
  runtime = startRuntime({ ...options, timeoutMs: 3_000 });
  patient = startRuntime({ ...options, timeoutMs: 60_000 });
  expect([runtime.unavailable, patient.unavailable]).toEqual([undefined, undefined]);
});
afterAll(async () => {
  await Promise.all([runtime.stop(), patient.stop()]);
  await shut(world);
});

/** Has a script handle an event; one of an organization of its own unless another is named. */
async function run(
  source: string,
  {
    organization = newId(),
    generation = "v2" as "v1" | "v2",
    event = {} as object,
    key = newId(),
    within = runtime,
  } = {},
) {
  const form = multipart({ event: JSON.stringify(event), environment: "{}" });
  const script = { key, generation, source: async () => source };
  const { status, body, logs } = await within.dispatch({ organization, script, ...form });
  return { status, text: body.toString(), logs };
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof ScriptFailed ? error.message : String(error)),
  );
/** A module that handles events so. */
const worker = (body: string, before = "") =>
  `${before} export default { async fetch(request, env, ctx) { ${body} } };`;
const LOOP = worker("for (;;);");

test("a module reads the form, responds, and its logs are kept with level, message and time", async () => {
  const source = worker(`
    const form = await request.formData();
    console.log("got", JSON.parse(form.get("event")).type, { deep: [1] });
    console.debug("fine"); console.warn("careful"); console.error("bad");
    return new Response("OK " + Object.keys(env).length, { status: 201 });`);
  const { status, text, logs } = await run(source, { event: { type: "x" } });
  expect([status, text]).toEqual([201, "OK 0"]);
  expect((await logs).map(({ level, message }) => [level, message])).toEqual([
    ["info", 'got x {"deep":[1]}'],
    ["debug", "fine"],
    ["warn", "careful"],
    ["error", "bad"],
  ]);
});

test("a script of the older generation listens for fetch, in sloppy mode; one that does not listen is 406", async () => {
  const source = `undeclared = 010; addEventListener("fetch", (event) => {
    event.waitUntil(Promise.resolve());
    event.respondWith(event.request.formData().then((form) => new Response(undeclared + form.get("environment"))));
  });`;
  expect(await run(source, { generation: "v1" })).toMatchObject({ status: 200, text: "8{}" });
  expect((await run("1", { generation: "v1" })).status).toBe(406);
});

test("node's modules are there, files and other processes are not", async () => {
  const source = worker(
    'return new Response(createHmac("sha256", "k").update("x").digest("hex").length);',
    'import { createHmac } from "node:crypto";',
  );
  expect((await run(source)).text).toBe("64");
  for (const module of ["node:fs", "node:child_process", "node:worker_threads"])
    expect(await failure(run(worker("return new Response();", `import * as x from "${module}";`)))).toMatch(
      /No such module/,
    );
});

test("work handed to waitUntil goes on after the response, and its logs come when it has ended", async () => {
  const source = worker(`ctx.waitUntil((async () => {
      await new Promise((done) => setTimeout(done, 300));
      await fetch("${address}/afterwards"); console.log("later");
    })()); return new Response("OK");`);
  const { text, logs } = await run(source);
  expect(text).toBe("OK");
  expect(await logs).toMatchObject([{ message: "later" }]);
  expect(seen.map(({ url }) => url)).toContain("/afterwards");
});

test("requests go out by the egress client alone: public addresses, the interface, nothing private", async () => {
  const ask = (url: string) =>
    run(
      worker(`try { const response = await fetch("${url}", { headers: { authorization: "Bearer t", "x-octavo-url": "x" } });
      return new Response(response.status + " " + await response.text()); } catch (error) { return new Response(error.message); }`),
    ).then(({ text }) => text);
  expect(await ask(`${address}/public`)).toBe("200 hello");
  expect(await ask("https://octavo.test/v1/user")).toBe("200 the interface");
  expect(seen.at(-1)).toMatchObject({ url: "/v1/user", authorization: "Bearer t" });
  expect(await ask("http://169.254.169.254/latest")).toMatch(/not allowed/);
  expect(await ask("http://10.0.0.1/")).toMatch(/not allowed/);
  expect(await ask("http://host/scripts/x")).toMatch(/not allowed|does not exist/);
  expect(await ask(`${address}/inside`)).toMatch(/not allowed/);
  expect(await ask(`${address}/redirect/0`)).toMatch(/redirect/i);
  expect(await ask("https://octavo.test/internal")).not.toMatch(/^200/);
});

test("a script that follows a circle of redirects fails after twenty of them, with the reason", async () => {
  const before = seen.length;
  const following = worker(`return await fetch("${address}/redirect/0");`);
  expect(await failure(run(following))).toMatch(/^The script failed: Too many redirects/);
  expect(seen.length - before).toBeLessThanOrEqual(21);
});

test("a script that walks a circle of redirects by itself fails in time, and its requests end with it", async () => {
  const organization = newId();
  const walking = worker(`let url = "${address}/redirect/0";
    for (;;) {
      const response = await fetch(url, { redirect: "manual" });
      url = new URL(response.headers.get("location"), url).href;
    }`);
  const key = newId();
  // The second time the script is one that stays loaded.
  for (let time = 0; time < 2; time++) {
    expect(await failure(run(walking, { organization, key }))).toMatch(/did not respond within 3 s/);
    await waitFor(async () => {
      const before = seen.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return seen.length === before;
    });
  }
  expect((await run(worker('return new Response("next");'), { organization })).text).toBe("next");
});

test("a script that sends requests without end has sixty-four at a time, and takes none of those of others", async () => {
  const flood = worker(`
    const sent = Array.from({ length: 200 }, () => fetch("https://octavo.test/v1/slow").then(
      (response) => response.text(), (error) => error.message));
    ctx.waitUntil(Promise.all(sent));
    return Response.json(await Promise.all(sent.map((one) => Promise.race([one, scheduler.wait(1500)]))));`);
  const flooding = run(flood);
  await waitFor(async () => slow.length >= 64);
  const honest = await run(
    worker('return new Response(await (await fetch("https://octavo.test/v1/user")).text());'),
  );
  expect(honest.text).toBe("the interface");
  const refused = (JSON.parse((await flooding).text) as (string | null)[]).filter((one) => one !== null);
  expect(slow).toHaveLength(64);
  expect(refused).toHaveLength(136);
  for (const message of refused) expect(message).toMatch(/more than 64 requests at a time/);
  for (const response of slow.splice(0)) response.end("late");
});

test("a script that throws, does not parse, or returns something else or nothing has a defined end", async () => {
  const ended = (source: string) => failure(run(source, { within: patient }));
  expect(await ended(worker('throw new Error("boom");'))).toBe("The script failed: boom");
  expect(await ended("export default { fetch( {")).toMatch(/SyntaxError[\s\S]*script\.js:1/);
  expect(await ended('throw new Error("at once");')).toMatch(/at once/);
  expect(await ended("export default {};")).toMatch(/^The script failed/);
  expect(await ended(worker("return 7;"))).toMatch(/^The script failed/);
  expect(await failure(run(worker("await new Promise((done) => setTimeout(done, 60000));")))).toMatch(
    /did not respond within 3 s/,
  );
  const large = worker('return new Response("x".repeat(11 * 1024 * 1024));');
  expect(await ended(large)).toMatch(/larger than/);
});

test("what a script threw is in its log, and a flood is cut", async () => {
  const thrown = await run(worker('console.log("before"); throw new TypeError("boom");')).catch(
    (error: ScriptFailed) => error,
  );
  expect((thrown as ScriptFailed).logs.map(({ message }) => message)).toEqual(["before", "TypeError: boom"]);
  const { logs } = await run(
    worker('for (let at = 0; at < 5000; at++) console.log("x".repeat(100)); return new Response("OK");'),
  );
  const kept = await logs;
  expect(kept.length).toBeLessThanOrEqual(201);
});

test("a loop ends its own process: other organizations feel nothing, honest scripts of the same one are tried again", async () => {
  const organization = newId();
  const honest = worker('await new Promise((done) => setTimeout(done, 100)); return new Response("honest");');
  await run(honest, { organization });
  const looping = failure(run(LOOP, { organization }));
  const beside = run(honest, { organization });
  const elsewhere = await run(honest);
  expect(elsewhere.text).toBe("honest");
  expect((await beside).text).toBe("honest");
  expect(await looping).toMatch(/did not respond|let nothing else run/);
  expect((await run(honest, { organization })).text).toBe("honest");
});

test("a loop after the response ends the process as well, and the next event gets a new one", async () => {
  const organization = newId();
  const source = worker(
    'ctx.waitUntil((async () => { await new Promise((done) => setTimeout(done, 50)); for (;;); })()); return new Response("OK");',
  );
  const { text, logs } = await run(source, { organization });
  expect(text).toBe("OK");
  expect(await logs).toEqual([]);
  expect((await run(worker('return new Response("next");'), { organization })).text).toBe("next");
});

test("an event is not blamed for what an earlier one left behind in the process that it is tried alone in", async () => {
  const organization = newId();
  // The first time it ends the process while it is waited for, the second time only afterwards.
  const twice = worker(`const times = Number(await (await fetch("${address}/times")).text());
    if (times === 1) for (;;);
    ctx.waitUntil((async () => { await scheduler.wait(300); for (;;); })());
    return new Response("OK");`);
  const slow = worker('await scheduler.wait(2_000); return new Response("honest");');
  const [one, other] = await Promise.all([run(twice, { organization }), run(slow, { organization })]);
  expect([one.text, other.text, times]).toEqual(["OK", "honest", 2]);
});

test.runIf(process.platform === "linux")(
  "an event is not blamed for a process that was killed, however late the exit is seen",
  async () => {
    const before = slow.length;
    const known = scriptProcesses(process.pid).map(({ pid }) => pid);
    const began = Date.now();
    const source = worker('await fetch("https://octavo.test/v1/slow"); return new Response("OK");');
    const ended = run(source, { within: patient });
    await waitFor(() => slow.length > before);
    const { pid, parent } = scriptProcesses(process.pid).find((one) => !known.includes(one.pid))!;
    // The process is looked after each second: next time it is dead, and its parent cannot say so.
    await sleep(began + 800 - Date.now());
    process.kill(parent, "SIGSTOP");
    process.kill(pid, "SIGKILL");
    await waitFor(() => slow.length > before + 1).finally(() => process.kill(parent, "SIGCONT"));
    slow.at(-1)!.end();
    expect(await ended).toMatchObject({ status: 200, text: "OK" });
  },
);

test("a response that begins and does not end is a failure of the script, however it stays away", async () => {
  const broken = worker(`const { readable, writable } = new TransformStream();
    void writable.getWriter().write(new TextEncoder().encode("more"));
    return new Response(readable);`);
  expect(await failure(run(broken))).toBe("The script did not end its response");
  const endless =
    worker(`const more = async (to) => { await scheduler.wait(50); to.enqueue(new Uint8Array(9)); };
    return new Response(new ReadableStream({ pull: more }));`);
  expect(await failure(run(endless))).toBe("The script did not respond within 3 s");
});

test("a script that allocates without end fails, and the next event gets its response", async () => {
  const organization = newId();
  const hungry = worker(
    "const all = []; for (;;) { all.push(new Uint8Array(8 * 1024 * 1024).fill(1)); if (all.length % 4 === 0) await null; }",
  );
  expect(await failure(run(hungry, { organization }))).not.toBe("done");
  expect((await run(worker('return new Response("next");'), { organization })).text).toBe("next");
});

test("scripts of one organization share no globals, and nothing of one is in reach of another", async () => {
  const organization = newId();
  await run(worker('globalThis.secret = "s"; return new Response("OK");'), { organization });
  const nosy = worker("return new Response(String(globalThis.secret) + JSON.stringify(Object.keys(env)));");
  expect((await run(nosy, { organization })).text).toBe("undefined[]");
});

test("scripts that are used again stay loaded, as many as there is room for; all others are loaded for each event", async () => {
  const organization = newId();
  const counting = worker("return new Response(String(++count));", "let count = 0;");
  const keys = Array.from({ length: 30 }, () => newId());
  const round = async () => {
    const counts: string[] = [];
    for (const key of keys) counts.push((await run(counting, { organization, key })).text);
    return counts.join("");
  };
  expect(await round()).toBe("1".repeat(30));
  expect(await round()).toBe("1".repeat(30));
  expect(await round()).toBe("2".repeat(20) + "1".repeat(10));
  expect(await round()).toBe("3".repeat(20) + "1".repeat(10));
});

test("without the program every event fails because there is no runtime", async () => {
  const none = noRuntime("workerd is not installed");
  const form = multipart({ event: "{}", environment: "{}" });
  const script = { key: "x", generation: "v2" as const, source: async () => "" };
  expect(await failure(none.dispatch({ organization: "o", script, ...form }))).toMatch(
    /no runtime.*not installed/,
  );
});

test("a script is parsed when it is published, and the place of a mistake is reported", async () => {
  expect(await checkScript("v2", "export default {};")).toBeUndefined();
  expect(await checkScript("v1", "undeclared = 010;")).toBeUndefined();
  expect(await checkScript("v2", "\n\nexport default { fetch( {")).toMatch(/^line 3: SyntaxError: /);
  expect(await checkScript("v1", "import x from 'y';")).toMatch(/^line 1: SyntaxError/);
});

test("processes end with the runtime", async () => {
  await run(worker('return new Response("OK");'));
  await runtime.stop();
  await waitFor(async () => (await failure(run(worker("return new Response()")))).includes("stopping"));
});
