import { expect, test } from "vitest";
import { createUrls } from "./urls.js";

const urls = createUrls({
  base: "https://octavo.test/",
  app: "https://octavo.test/app//",
  sites: "https://sites.test",
});

test("addresses stand on their bases, whatever slashes those end in", () => {
  expect(urls.api`/spaces/${"s1"}`).toBe("https://octavo.test/v1/spaces/s1");
  expect(urls.app`/s/${"s1"}/`).toBe("https://octavo.test/app/s/s1/");
  expect(urls.site`/${"docs"}`).toBe("https://sites.test/docs");
  expect(urls.api`/`).toBe("https://octavo.test/v1/");
});

test("every inserted part is one encoded segment", () => {
  expect(urls.api`/a/${"b/c"}/${"d e?f#g&h=i%j"}/${"é"}`).toBe(
    "https://octavo.test/v1/a/b%2Fc/d%20e%3Ff%23g%26h%3Di%25j/%C3%A9",
  );
  expect(urls.api`/change-requests/${12}`).toBe("https://octavo.test/v1/change-requests/12");
});

test("a host of a site has the scheme and the port of all sites", () => {
  expect(urls.onHost("docs.example.com")).toBe("https://docs.example.com/");
  const local = createUrls({
    base: "http://a.test",
    app: "http://a.test",
    sites: "http://a.test:4000/sites",
  });
  expect(local.onHost("docs.example.com")).toBe("http://docs.example.com:4000/");
});
