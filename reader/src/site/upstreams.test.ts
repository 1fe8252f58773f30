import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSigner } from "@octavo/shared/identity";
import { surroundingsOf } from "@octavo/shared/testing/surroundings";
import { expect, onTestFinished, test } from "vitest";
import { isUnavailable } from "../cache/upstream-errors.js";
import { createUpstreams } from "./upstreams.js";

test("a service that takes a call and does not respond to it counts as unavailable after a while", async () => {
  const server = createServer(() => {}).listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signingKey, trustedKeys } = surroundingsOf("sites");
  const signer = createSigner(signingKey);
  const { nobody } = createUpstreams({ sites: url, content: url, signer, trustedKeys, timeoutMs: 50 });
  const failure = await nobody.sites.urls.find.query({ url, redirectOnError: false }).catch((error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(isUnavailable(failure)).toBe(true);
});
