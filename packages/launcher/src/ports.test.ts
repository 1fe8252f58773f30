import { createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import { freePort, isFree, ownerOf } from "./ports.js";

test("a free port is free until somebody listens, on whatever interface", async () => {
  for (const host of ["127.0.0.1", "0.0.0.0", undefined]) {
    const port = await freePort();
    expect(await isFree(port)).toBe(true);
    const server = await listening(port, host);
    expect(await isFree(port)).toBe(false);
    await new Promise((closed) => server.close(closed));
    expect(await isFree(port)).toBe(true);
  }
});

test("a port is not free while somebody listens where only IPv6 leads", async () => {
  const port = await freePort();
  const server = await listening(port, "::1").catch(() => undefined);
  // A machine without IPv6 leads nobody there.
  if (!server) return;
  expect(await isFree(port)).toBe(false);
  await new Promise((closed) => server.close(closed));
  expect(await isFree(port)).toBe(true);
});

test("the owner of a port is named where the system reports it, and undefined for a free one", async () => {
  const port = await freePort();
  expect(ownerOf(port)).toBeUndefined();
  const server = await listening(port, "127.0.0.1");
  const owner = ownerOf(port);
  if (owner !== undefined) expect(owner).toContain(`pid ${process.pid}`);
  await new Promise((closed) => server.close(closed));
});

function listening(port: number, host?: string): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
