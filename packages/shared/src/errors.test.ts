import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  describe,
  errorBody,
  found,
  issuesOf,
  locate,
  onConstraint,
  type RefusalCode,
  refuse,
  refuseAt,
} from "./errors.js";

/** What the function throws. */
function thrown(fn: () => unknown): unknown {
  try {
    fn();
  } catch (error) {
    return error;
  }
  throw new Error("did not throw");
}
const bodyOf = (error: unknown) => errorBody(error, "request1").body.error;
const unexpected = {
  code: 500,
  message: "Unexpected error",
  reason: "internal_error",
  requestId: "request1",
};
const remote = (data: object | undefined, message = "Space: not found") =>
  Object.assign(new Error(message), { name: "TRPCClientError", data });

test("every code of a refusal has its status, and a reason after it", () => {
  const statuses: Record<RefusalCode, number> = {
    BAD_REQUEST: 400,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    METHOD_NOT_SUPPORTED: 405,
    TIMEOUT: 408,
    CONFLICT: 409,
    PRECONDITION_FAILED: 412,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    TOO_MANY_REQUESTS: 429,
    NOT_IMPLEMENTED: 501,
    BAD_GATEWAY: 502,
    SERVICE_UNAVAILABLE: 503,
    GATEWAY_TIMEOUT: 504,
  };
  for (const [code, status] of Object.entries(statuses)) {
    const { body, status: actual } = errorBody(
      thrown(() => refuse(code as RefusalCode, "Space: no")),
      "request1",
    );
    const reason = code === "BAD_REQUEST" ? "invalid_input" : code.toLowerCase();
    expect([actual, body]).toEqual([
      status,
      { error: { code: status, message: "Space: no", reason, requestId: "request1" } },
    ]);
  }
});

test("a refusal may bring a reason and issues of its own, and keeps its cause to itself", () => {
  const issues = [{ path: "body.url", message: "is private" }];
  const cause = new Error("10.0.0.1 refused");
  const error = thrown(() =>
    refuse("BAD_REQUEST", "body.url: is private", { reason: "egress", issues, cause }),
  );
  expect(bodyOf(error)).toEqual({
    code: 400,
    message: "body.url: is private",
    reason: "egress",
    requestId: "request1",
    issues,
  });
});

test("what is refused at a place names it in the message and as the one issue", () => {
  const error = thrown(() => refuseAt("body.status", "is over", { reason: "merged" }));
  expect(bodyOf(error)).toEqual({
    code: 400,
    message: "body.status: is over",
    reason: "merged",
    requestId: "request1",
    issues: [{ path: "body.status", message: "is over" }],
  });
});

test("found gives the value, falsy ones too, or 404", () => {
  expect([found(0, "X"), found("", "X"), found(false, "X")]).toEqual([0, "", false]);
  for (const nothing of [null, undefined]) {
    expect(bodyOf(thrown(() => found(nothing, "Space")))).toMatchObject({
      code: 404,
      message: "Space: not found",
    });
  }
});

test("onConstraint refuses for the named constraint alone", () => {
  const then = () => refuse("CONFLICT", "Slug: is taken");
  const violation = (constraint?: string) => Object.assign(new Error("duplicate key"), { constraint });
  expect(() => onConstraint(violation("site_slug"), "site_slug", then)).toThrow("Slug: is taken");
  for (const other of [violation("site_pkey"), violation(), new Error("x"), null, undefined, "site_slug"]) {
    expect(() => onConstraint(other, "site_slug", then)).not.toThrow();
  }
});

test("an error that is no refusal reveals nothing", () => {
  for (const error of [
    new Error("password=hunter2"),
    new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "hunter2" }),
    new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: z.string().safeParse(1).error! }),
    Object.assign(new Error("relation hunter2 does not exist"), { code: "42P01" }),
    "hunter2",
    null,
    undefined,
    { message: "hunter2" },
  ]) {
    expect(bodyOf(error)).toEqual(unexpected);
  }
});

test("a text that PostgreSQL cannot store is bad input, wherever it came from", () => {
  for (const cause of [
    { code: "22021", message: 'invalid byte sequence for encoding "UTF8": 0x00' },
    { code: "22P05", message: "unsupported Unicode escape sequence" },
    { code: "22P02", message: "invalid input syntax for type json" },
  ]) {
    const error = Object.assign(new Error(cause.message), cause);
    for (const thrown of [error, new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error })]) {
      expect(bodyOf(thrown)).toMatchObject({
        code: 400,
        message: "Input: holds characters that cannot be stored",
      });
    }
  }
  const uuid = { code: "22P02", message: "invalid input syntax for type uuid" };
  expect(bodyOf(Object.assign(new Error(), uuid))).toEqual(unexpected);
});

test("the refusal of a neighbour comes through with its reason and issues", () => {
  const data = {
    code: "NOT_FOUND",
    refusal: { reason: "space_deleted", issues: [{ path: "a", message: "b" }] },
  };
  const expected = {
    code: 404,
    message: "Space: not found",
    reason: "space_deleted",
    requestId: "request1",
    issues: [{ path: "a", message: "b" }],
  };
  expect(bodyOf(remote(data))).toEqual(expected);
  expect(bodyOf(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: remote(data) }))).toEqual(expected);
});

test("a token that ended meanwhile is 401 also when another service detected it", () => {
  const data = { code: "UNAUTHORIZED", refusal: { reason: "invalid_token" } };
  expect(bodyOf(remote(data, "Authorization: no more"))).toMatchObject({
    code: 401,
    reason: "invalid_token",
  });
});

test("the fault of a neighbour is ours, and one that is away is 503", () => {
  expect(bodyOf(remote({ code: "INTERNAL_SERVER_ERROR" }, "hunter2"))).toEqual(unexpected);
  expect(bodyOf(remote({ code: "UNAUTHORIZED" }, "Identity: missing"))).toEqual(unexpected);
  expect(bodyOf(remote(undefined, "fetch failed: 10.0.0.1:4001"))).toEqual({
    code: 503,
    message: "A service is not reachable",
    reason: "service_unavailable",
    requestId: "request1",
  });
  const busy = { code: "SERVICE_UNAVAILABLE", refusal: { reason: "storage_unavailable" } };
  expect(bodyOf(remote(busy, "Files: cannot be reached"))).toEqual({
    code: 503,
    message: "Files: cannot be reached",
    reason: "storage_unavailable",
    requestId: "request1",
  });
});

test("a database that is away, starts or stops is 503 with Retry-After, bare or through tRPC", () => {
  for (const cause of [
    { code: "ECONNREFUSED", message: "connect ECONNREFUSED 10.0.0.1:5432" },
    { code: "57P03", message: "the database system is starting up" },
    { code: "57P01", message: "terminating connection due to administrator command" },
    { code: "53300", message: "sorry, too many clients already" },
    { message: "Connection terminated unexpectedly" },
    { message: "Connection terminated due to connection timeout" },
    { message: "timeout exceeded when trying to connect" },
    { message: "Client has encountered a connection error and is not queryable" },
  ]) {
    const error = Object.assign(new Error(cause.message), cause);
    for (const thrown of [error, new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error })]) {
      expect(bodyOf(thrown)).toEqual({
        code: 503,
        message: "The database is not reachable",
        reason: "service_unavailable",
        requestId: "request1",
      });
      expect(describe(thrown).details.headers).toEqual({ "retry-after": "1" });
    }
  }
  for (const code of ["57014", "42P01", "08", "ENOENT"]) {
    expect(bodyOf(Object.assign(new Error("Connection of hunter2"), { code }))).toEqual(unexpected);
  }
});

test("issues name the place of each value, through lists and objects", () => {
  const { error } = z
    .object({ a: z.object({ b: z.array(z.number()) }), c: z.string() })
    .safeParse({ a: { b: [1, "2"] } });
  expect(issuesOf(error!, "body").map(({ path }) => path)).toEqual(["body.a.b.1", "body.c"]);
});

test("the issue of a union names what each of its forms misses, once", () => {
  const schema = z.union([z.enum(["read", "edit"]), z.literal("inherit"), z.literal("inherit")]);
  expect(issuesOf(schema.safeParse("x").error!, "level")).toEqual([
    {
      path: "level",
      message: 'Invalid option: expected one of "read"|"edit"; or Invalid input: expected "inherit"',
    },
  ]);
});

test("a located refusal carries its path, unless it does already, and anything else passes", async () => {
  const located = (error: unknown) =>
    locate("body.changes.3", () => Promise.reject(error)).catch((thrown: unknown) => thrown);
  const missing = await located(thrown(() => found(undefined, "Page")));
  expect(bodyOf(missing)).toMatchObject({
    code: 404,
    message: "body.changes.3: Page: not found",
    issues: [{ path: "body.changes.3", message: "Page: not found" }],
  });
  const issues = [{ path: "body.title", message: "is wrong" }];
  const precise = thrown(() => refuse("BAD_REQUEST", "body.title: is wrong", { issues }));
  expect(await located(precise)).toBe(precise);
  const failure = new Error("broken");
  expect(await located(failure)).toBe(failure);
  expect(await locate("body", async () => 1)).toBe(1);
});
