import { expect, test } from "vitest";
import { readUrl } from "./read-url.js";

test("readUrl reads addresses, absolute and relative, and nothing else", () => {
  expect(readUrl("https://docs.example/a?b#c")?.href).toBe("https://docs.example/a?b#c");
  expect(readUrl("../x", "https://docs.example/a/b/c")?.href).toBe("https://docs.example/a/x");
  expect(readUrl("/x", new URL("https://docs.example/a"))?.href).toBe("https://docs.example/x");
  for (const none of ["", "x", "/x", "https://", "https://a b.example"])
    expect(readUrl(none), none).toBeUndefined();
});

test("readUrl reads an address whose host is not in ASCII, however often it was called", () => {
  const hosts = new Set<string | undefined>();
  for (let count = 0; count < 20_000; count += 1)
    hosts.add(readUrl("https://b\u00fccher.example/a")?.hostname);
  expect([...hosts]).toEqual(["xn--bcher-kva.example"]);
});
