import { expect, test } from "vitest";
import { z } from "zod";
import { createApi } from "../trpc.js";
import { type Deprecation, deprecationHeaders } from "./deprecation.js";
import { openApiDocument } from "./openapi.js";
import { routesOf } from "./routes.js";

const deprecated = { since: "2026-11-01", sunset: "2027-05-01" };
const { get, router } = createApi<never>();
const old = (options: { deprecated?: Deprecation }) =>
  router({
    old: get("/old", { summary: "Get what is old", ...options })
      .input(z.object({}))
      .output(z.object({ id: z.string() }))
      .query(() => ({ id: "old" })),
  });

test("the headers have a date, and a sunset once it is set", () => {
  expect(deprecationHeaders({ since: "2026-11-01" })).toEqual(["deprecation", "@1793491200"]);
  expect(deprecationHeaders(deprecated)).toEqual([
    "deprecation",
    "@1793491200",
    "sunset",
    "Sat, 01 May 2027 00:00:00 GMT",
  ]);
});

test("what is no day, or a sunset before the deprecation, is an error", () => {
  for (const since of ["2026-13-01", "tomorrow", "2026-11-01T00:00:00Z"])
    expect(() => deprecationHeaders({ since })).toThrow(RangeError);
  expect(() => deprecationHeaders({ since: "2026-11-01", sunset: "2026-11-01" })).toThrow(/not after/);
});

test("an operation declares it for the document and for the gateway, or not at all with wrong dates", () => {
  const operationOf = (api: ReturnType<typeof old>) =>
    openApiDocument(api, { title: "Old", version: "1.0.0" }).paths!["/old"]!.get!;
  expect(operationOf(old({ deprecated }))).toMatchObject({
    deprecated: true,
    "x-octavo-deprecation": deprecated,
    description: "Deprecated since 2026-11-01, and may be gone from 2027-05-01 on.",
  });
  expect(operationOf(old({ deprecated: { since: "2026-11-01" } })).description).toBe(
    "Deprecated since 2026-11-01.",
  );
  expect(operationOf(old({}))).not.toHaveProperty("x-octavo-deprecation");
  expect(routesOf(old({ deprecated }))).toMatchObject([{ path: "/old", deprecated }]);
  expect(operationOf(old({})).deprecated ?? false).toBe(false);
  expect(routesOf(old({}))[0]).not.toHaveProperty("deprecated");
  expect(() => old({ deprecated: { ...deprecated, since: "soon" } })).toThrow(RangeError);
});
