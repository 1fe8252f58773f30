import type { Organization } from "@octavo/shared/contracts/schemas/organization";
import { expect, test } from "vitest";
import type { Ctx } from "../trpc.js";
import { organizationsOf } from "./organizations.js";

/** A request, and an orgs that has the organizations whose ids begin with `org`; records its calls. */
function request() {
  const lookups: string[][] = [];
  const failures: Error[] = [];
  const organizations = async (_: unknown, ids: string[]) => {
    lookups.push(ids);
    const failure = failures.pop();
    if (failure) throw failure;
    return ids.filter((id) => id.startsWith("org")).map((id) => ({ id, title: id }) as Organization);
  };
  const ctx = { reply: { headers: {} }, orgs: { organizations } } as unknown as Ctx;
  return { ctx, lookups, failures };
}
const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `org${n}`);

test("organizations are found by their ids, each looked up once in a request, and unknown ones are left out", async () => {
  const { ctx, lookups } = request();
  const found = await organizationsOf(ctx, ["org1", "org2", "org1", "gone"]);
  expect([...found]).toEqual([
    ["org1", { id: "org1", title: "org1" }],
    ["org2", { id: "org2", title: "org2" }],
  ]);
  expect([...(await organizationsOf(ctx, ["org2", "org3", "gone"])).keys()]).toEqual(["org2", "org3"]);
  expect(await organizationsOf(ctx, [])).toEqual(new Map());
  expect(lookups).toEqual([["org1", "org2", "gone"], ["org3"]]);
});

test("another request makes its own lookup", async () => {
  const { ctx, lookups } = request();
  await organizationsOf(ctx, ["org1"]);
  await organizationsOf({ ...ctx, reply: { headers: {} } } as Ctx, ["org1"]);
  expect(lookups).toEqual([["org1"], ["org1"]]);
});

test("a thousand are looked up at a time", async () => {
  const { ctx, lookups } = request();
  expect((await organizationsOf(ctx, idsOf(2001))).size).toBe(2001);
  expect(lookups.map((ids) => ids.length)).toEqual([1000, 1000, 1]);
  expect(lookups.flat()).toEqual(idsOf(2001));
  await organizationsOf(ctx, idsOf(1000));
  const { ctx: other, lookups: askedOther } = request();
  await organizationsOf(other, idsOf(1000));
  expect([lookups.length, askedOther.map((ids) => ids.length)]).toEqual([3, [1000]]);
});

test("a lookup that failed is repeated", async () => {
  const { ctx, lookups, failures } = request();
  failures.push(new Error("orgs is away"));
  await expect(organizationsOf(ctx, ["org1"])).rejects.toThrow("orgs is away");
  expect([...(await organizationsOf(ctx, ["org1"])).keys()]).toEqual(["org1"]);
  expect(lookups).toEqual([["org1"], ["org1"]]);
});
