import { expect, test } from "vitest";
import { troubleWithNats } from "./nats.js";
import { freePort } from "./ports.js";

test("a NATS of the operator's is fine when one of its addresses responds, otherwise the reason is returned", async () => {
  const nobody = `nats://127.0.0.1:${await freePort()}`;
  expect(await troubleWithNats(process.env.NATS_URL!)).toBeUndefined();
  expect(await troubleWithNats(`${nobody},${process.env.NATS_URL}`)).toBeUndefined();
  expect(await troubleWithNats(nobody)).toBe("CONNECTION_REFUSED");
  expect(await troubleWithNats("no address")).toEqual(expect.any(String));
});
