import { expect, test } from "vitest";
import { mountOf } from "./mounts.js";

const SITES = new URL("https://octavo.test:444/sites");

test("the path alone decides for which site a request is: a host of its own, or its name", () => {
  expect(mountOf(SITES, "/~hosts/docs.example.com/a/b?c=d")).toMatchObject({
    origin: "https://docs.example.com:444",
    base: "/",
    isOwnHost: true,
    name: "docs.example.com",
    url: { pathname: "/a/b", search: "?c=d" },
  });
  expect(mountOf(SITES, "/sites/docs/a")).toMatchObject({
    origin: "https://octavo.test:444",
    base: "/sites/",
    isOwnHost: false,
    name: "docs",
    url: { pathname: "/sites/docs/a" },
  });
  for (const nowhere of [
    "/",
    "/other",
    "//evil.example/sites/docs",
    "/~hosts/Docs/",
    "/~hosts/a",
    "http://x/",
  ])
    expect(mountOf(SITES, nowhere), nowhere).toMatchObject({ isOwnHost: false, name: "" });
});
