import { expect, test } from "vitest";
import { canonicalPath, checkEncodedSlash, withSingleSlashes } from "./paths.js";
import { createRouteTable } from "./routes.js";
import { route } from "./testing.js";

const refused = expect.objectContaining({ code: "BAD_REQUEST" });
const hostile = [
  "/v1/spaces/../user",
  "/v1/spaces/..",
  "/v1/./user",
  "/v1/%2e%2e/user",
  "/v1/%2E./user",
  "/v1//user",
  "//evil.example/v1/user",
  "http://evil.example/v1/user",
  "/v1\\user",
  "/v1/%5cuser",
  "/v1/spaces/a%00b",
  "/v1/spaces/a b",
  "/v1/späces",
  "/v1/user#top",
  "*",
  "v1/user",
  "",
];

test.each(hostile)("the path %j is refused", (target) => {
  expect(() => canonicalPath(target)).toThrow(refused);
});

test.each([
  "/v1/spaces/a%20b",
  "/v1/spaces/.hidden",
  "/v1/spaces/a..b",
  "/v1/spaces/...",
  "/v1/u?to=../../x//y",
])("the path %j is canonical", (target) => expect(canonicalPath(target)).toBe(target.split("?")[0]));

test("slashes in a row are one, where nothing else of a path is ambiguous", () => {
  expect(withSingleSlashes("//evil.example//a?to=//b")).toBe("/evil.example/a?to=//b");
  for (const target of ["//a/../b", "//a\\b", "//a%5cb", "//a#b", "http://evil.example//", "a//b"])
    expect(withSingleSlashes(target), target).toBeUndefined();
});

test("an encoded slash stands only where a template takes the rest of the path", () => {
  const template = "/v1/spaces/{spaceId}/content/path/{pagePath*}";
  checkEncodedSlash("/v1/spaces/s/content/path/guides%2Fstart", template);
  checkEncodedSlash("/v1/spaces/s/content/path/guides/start", template);
  for (const path of [
    "/v1/spaces/a%2Fb/content/path/x",
    "/v1/spaces/s/content/path/a%2F..%2Fb",
    "/v1/spaces/s/content/path/a%2f%2fb",
  ]) {
    expect(() => checkEncodedSlash(path, template), path).toThrow(refused);
  }
  expect(() => checkEncodedSlash("/v1/spaces/a%2Fb", "/v1/spaces/{spaceId}")).toThrow(refused);
});

test("literals win over parameters whatever the order, and a malformed encoding is 400", () => {
  const table = createRouteTable([
    route("GET", "/spaces/{spaceId}"),
    route("GET", "/spaces/latest", { operation: "latest" }),
  ]);
  expect(table.match("GET", "/v1/spaces/latest").route?.operation).toBe("latest");
  expect(table.match("HEAD", "/v1/spaces/x").route?.operation).toBe("spaces.any");
  expect(() => table.match("GET", "/v1/spaces/%zz")).toThrow(refused);
  expect(() => table.match("GET", "/v1/spaces/%ff")).toThrow(refused);
  expect(() => table.match("GET", "/V1/spaces/x")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
});

test("two routes that claim one operation are refused at the start", () => {
  expect(() => createRouteTable([route("GET", "/a/{one}"), route("GET", "/a/{two}")])).toThrow();
});
