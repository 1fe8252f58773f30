import { expect, test } from "vitest";
import { afterSignOut } from "./sign-out.js";

const after = (path: string) => afterSignOut(new URL(`http://octavo.test/sites/docs/${path}`))?.href;

test("who signs out goes on to a page of the site, and nowhere else", () => {
  const root = "http://octavo.test/sites/docs/";
  for (const path of ["~octavo/auth/logout", "~gitbook/auth/login"]) {
    expect(after(path)).toBe(root);
    expect(after(`${path}?location=/a/b%3Fc=d`)).toBe(`${root}a/b?c=d`);
    expect(after(`${path}?location=a%3Fjwt_token=a.b.c`)).toBe(`${root}a`);
    for (const elsewhere of [
      "../other/",
      "//evil.test/",
      "/%2e%2e/other",
      "https://evil.test",
      "\\\\evil.test",
    ])
      expect(after(`${path}?location=${encodeURIComponent(elsewhere)}`), elsewhere).toMatch(
        /^http:\/\/octavo\.test\/sites\/docs\//,
      );
  }
  const ofHost = (location: string) => {
    const url = new URL(`http://docs.test/~octavo/auth/logout?location=${encodeURIComponent(location)}`);
    return afterSignOut(url)?.pathname;
  };
  for (const elsewhere of [
    "//evil.test",
    ".//evil.test",
    "x/..//evil.test",
    "x/..\\\\evil.test",
    "./\\evil.test",
  ])
    expect(ofHost(elsewhere), elsewhere).toBe("/evil.test");
  for (const path of ["", "~octavo/auth/other", "~octavo/auth/logout/x", "a~b/auth/logout"])
    expect(after(path), path).toBeUndefined();
});
