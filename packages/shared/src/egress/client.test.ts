import http from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createEgress, EgressError } from "./client.js";

const open: http.Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on a loopback address; returns its origin. */
async function listen(respond: http.RequestListener, host = "127.0.0.1"): Promise<string> {
  const server = http.createServer(respond);
  open.push(server);
  await new Promise<void>((done) => server.listen(0, host, done));
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

const loopback = createEgress({ allow: ["127.0.0.0/8"] });
const redirectTo =
  (location: string, status = 302): http.RequestListener =>
  (_, res) => {
    res.writeHead(status, { location }).end();
  };
const reason = (name: string) => expect.objectContaining({ name: "EgressError", reason: name });

test("a request to an allowed address succeeds; without the range it is refused before a connection", async () => {
  let requests = 0;
  const origin = await listen((req, res) => {
    requests++;
    res.end(
      JSON.stringify({
        method: req.method,
        host: req.headers.host,
        authorization: req.headers.authorization,
      }),
    );
  });
  const response = await loopback.fetch(`${origin.replace("//", "//ada:secret@")}/a?b=c`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ method: "GET", host: new URL(origin).host });
  await expect(createEgress().fetch(origin)).rejects.toEqual(reason("egress_refused"));
  expect(requests).toBe(1);
});

test("a name that resolves to loopback is classified by its address", async () => {
  const origin = (await listen((_, res) => res.end("here"))).replace("127.0.0.1", "localhost");
  expect(await (await loopback.fetch(origin)).text()).toBe("here");
  await expect(createEgress().fetch(origin)).rejects.toEqual(reason("egress_refused"));
});

test("the connection goes to the classified address even when the name changes its mind", async () => {
  const origin = await listen((req, res) => res.end(req.headers.host));
  const { port } = new URL(origin);
  const addresses = ["127.0.0.1", "127.0.0.2"];
  let lookups = 0;
  const lookup = async () => [{ address: addresses[lookups++] ?? "10.0.0.1", family: 4 }];
  const egress = createEgress({ allow: ["127.0.0.1/32"], lookup });
  expect(await (await egress.fetch(`http://rebind.example:${port}/`)).text()).toBe(`rebind.example:${port}`);
  expect(lookups).toBe(1);
  await expect(egress.fetch(`http://rebind.example:${port}/`)).rejects.toEqual(reason("egress_refused"));
});

test("a host with allowed and refused addresses is reached over the allowed ones only", async () => {
  const { port } = new URL(await listen((_, res) => res.end("one")));
  const addresses = ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 }));
  const egress = createEgress({ allow: ["127.0.0.1/32"], lookup: async () => addresses });
  expect(await (await egress.fetch(`http://mixed.example:${port}/`)).text()).toBe("one");
});

test("a redirect from an allowed to a refused address is refused, and no request is sent there", async () => {
  let reached = false;
  const secret = await listen((_, res) => {
    reached = true;
    res.end("metadata");
  }, "127.0.0.2");
  const origin = await listen(redirectTo(`${secret}/latest/meta-data`));
  const narrow = createEgress({ allow: ["127.0.0.1/32"] });
  await expect(narrow.fetch(origin)).rejects.toEqual(reason("egress_refused"));
  expect(reached).toBe(false);
  for (const location of [
    "file:///etc/passwd",
    "http://0x7f000002/",
    "http://[::ffff:127.0.0.2]/",
    "gopher://x/",
  ]) {
    const trap = await listen(redirectTo(location));
    await expect(narrow.fetch(trap), location).rejects.toEqual(reason("egress_refused"));
  }
});

test("redirects: to another origin without credentials, 303 as GET, 307 with its body", async () => {
  const seen: string[] = [];
  const target = await listen(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    seen.push(
      [req.method, req.headers.authorization, req.headers["x-key"], req.headers.accept, body].join("|"),
    );
    res.end("done");
  }, "127.0.0.2");
  const request = {
    method: "POST",
    body: "hello",
    headers: { Authorization: "Bearer secret", "X-Key": "secret", accept: "text/plain" },
  };
  for (const status of [303, 307]) {
    const response = await loopback.fetch(await listen(redirectTo(target, status)), request);
    expect(await response.text()).toBe("done");
    expect(response.url).toBe(`${target}/`);
  }
  expect(seen).toEqual(["GET|||text/plain|", "POST|||text/plain|hello"]);
});

test("redirects end: a loop fails, and with none allowed the redirect itself is the response", async () => {
  const origin = await listen(redirectTo("/again"));
  await expect(loopback.fetch(origin, { maxRedirects: 3 })).rejects.toEqual(reason("egress_failed"));
  const response = await loopback.fetch(origin, { maxRedirects: 0 });
  expect([response.status, response.headers.location]).toEqual([302, "/again"]);
  response.close();
});

test("a body beyond the limit is cut: announced, streamed without end, and compressed", async () => {
  const limit = { maxBytes: 100_000 };
  const announced = await listen((_, res) => res.end(Buffer.alloc(100_001)));
  await expect(loopback.fetch(announced, limit)).rejects.toEqual(reason("egress_too_large"));
  let sent = 0;
  const endless = await listen((_, res) => {
    const pump = () => {
      while (!res.destroyed && res.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    res.on("drain", pump);
    pump();
  });
  await expect((await loopback.fetch(endless, limit)).bytes()).rejects.toEqual(reason("egress_too_large"));
  expect(sent).toBeLessThan(50_000_000);
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  const packed = await listen((_, res) => res.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
  await expect((await loopback.fetch(packed, limit)).bytes()).rejects.toEqual(reason("egress_too_large"));
});

test("a compressed body arrives plain", async () => {
  const origin = await listen((_, res) =>
    res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain")),
  );
  expect(await (await loopback.fetch(origin)).text()).toBe("plain");
});

test("slow servers: no headers, a trickling body, and a name that never resolves end in time", async () => {
  const silent = await listen(() => undefined);
  await expect(loopback.fetch(silent, { headersMs: 80 })).rejects.toEqual(reason("egress_timeout"));
  await expect(loopback.fetch(silent, { timeoutMs: 80 })).rejects.toEqual(reason("egress_timeout"));
  const trickle = await listen((_, res) => {
    res.write("x");
    const timer = setInterval(() => res.write("x"), 10);
    res.on("close", () => clearInterval(timer));
  });
  const response = await loopback.fetch(trickle, { timeoutMs: 150 });
  await expect(response.text()).rejects.toEqual(reason("egress_timeout"));
  const deaf = createEgress({ lookup: () => new Promise(() => undefined) });
  await expect(deaf.fetch("http://deaf.example/", { connectMs: 50 })).rejects.toEqual(
    reason("egress_timeout"),
  );
});

test("a caller's abort ends the request with the caller's reason", async () => {
  const silent = await listen(() => undefined);
  const mind = new AbortController();
  setTimeout(() => mind.abort(new Error("changed my mind")), 30);
  await expect(loopback.fetch(silent, { signal: mind.signal })).rejects.toThrow("changed my mind");
  await expect(loopback.fetch(silent, { signal: mind.signal })).rejects.toThrow("changed my mind");
});

test("errors of requests carry no credentials, path or query", async () => {
  const broken = await listen((_, res) => {
    res.write("half");
    setTimeout(() => res.destroy(), 10);
  });
  const port = new URL(broken).port;
  const nonsense = await listen((req) => req.socket.end("not http at all\r\n\r\n"));
  const closed = "http://127.0.0.1:1";
  const work = [
    (async () => (await loopback.fetch(`http://ada:hunter2@127.0.0.1:${port}/p?key=hunter2`)).text())(),
    loopback.fetch(`${nonsense}/hunter2`),
    loopback.fetch(`${closed}/hunter2`),
    loopback.fetch("http://ada:hunter2@nobody.invalid/hunter2"),
    createEgress().fetch("http://ada:hunter2@127.0.0.1/hunter2"),
  ];
  for (const result of await Promise.allSettled(work)) {
    const error = (result as PromiseRejectedResult).reason as EgressError;
    expect(error).toBeInstanceOf(EgressError);
    expect(["egress_failed", "egress_refused"]).toContain(error.reason);
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain("hunter2");
  }
});
