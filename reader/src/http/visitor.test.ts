import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { type CookieOwner, claimsCookie, cookiesFor, credentialsOf, dropTokens } from "./visitor.js";

const PROVED = "a.b.c";
const read = (owner: CookieOwner, header: string, url = "http://x.test/") =>
  credentialsOf({ headers: { cookie: header } } as IncomingMessage, new URL(url), owner);

test("what a visitor proved is kept for one site alone, and what is no token is nothing", () => {
  const owner = { name: "docs", isOwnHost: false, secure: true };
  const [cookie = ""] = cookiesFor(owner, "/sites/docs/", { jwt: PROVED, inAddress: true });
  expect(cookie).toMatch(
    /^octavo-visitor-[\w-]{12}=a\.b\.c; Path=\/sites\/docs\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(read({ ...owner, name: "Docs" }, `z=1; ${cookie}`)).toEqual({ jwt: PROVED, inAddress: false });
  expect(read({ ...owner, name: "other" }, cookie).jwt).toBeUndefined();
  expect(read(owner, cookie.replace(PROVED, "a b")).jwt).toBeUndefined();
  expect(read(owner, cookie, "http://x.test/?jwt_token=d.e.f")).toEqual({ jwt: "d.e.f", inAddress: true });
});

test("of two cookies with one name the first one counts, which browsers send for the longer path", () => {
  const owner = { name: "docs", isOwnHost: false, secure: true };
  const [own, above] = [PROVED, "d.e.f"].map(
    (jwt) => cookiesFor(owner, "/sites/docs/", { jwt, inAddress: true })[0]!.split(";")[0],
  );
  expect(read(owner, `${own}; ${above}`).jwt).toBe(PROVED);
});

test("a token that an application of the same domain keeps in a cookie proves the same, unless the site has one itself", () => {
  const owner = { name: "docs", isOwnHost: false, secure: true };
  const shared = "gitbook-visitor-token=s.h.d";
  expect(read(owner, shared)).toEqual({ jwt: "s.h.d", inAddress: false });
  const [cookie = ""] = cookiesFor(owner, "/sites/docs/", { jwt: PROVED, inAddress: true });
  expect(read(owner, `${shared}; ${cookie}`).jwt).toBe(PROVED);
  expect(read(owner, "gitbook-visitor-token=a b").jwt).toBeUndefined();
});

test("the token of a preview is kept for an hour, apart from a JWT, and stands for one and for claims", () => {
  const owner = { name: "docs", isOwnHost: false, secure: false };
  const preview = read(owner, "", "http://x.test/?preview_token=v2.k.x-_&jwt_token=a.b.c&visitor.a=1");
  expect(preview).toMatchObject({ jwt: undefined, preview: "v2.k.x-_", inAddress: true });
  const [cookie = ""] = cookiesFor(owner, "/sites/docs/", preview);
  expect(cookie).toMatch(
    /^octavo-preview-[\w-]{12}=v2\.k\.x-_; Path=\/sites\/docs\/; HttpOnly; SameSite=Lax; Max-Age=3600$/,
  );
  // What is claimed counts once the preview is over, whose cookie may outlive it.
  const claiming = { ...preview, inAddress: false, claims: { a: 1 } };
  expect(read(owner, cookie, "http://x.test/?visitor.a=1")).toEqual(claiming);
  const later = read(owner, cookie, "http://x.test/?jwt_token=d.e.f");
  expect(later).toEqual({ jwt: "d.e.f", inAddress: true, endsPreview: true });
  expect(cookiesFor(owner, "/sites/docs/", later)).toEqual([
    expect.stringMatching(/^octavo-visitor-/),
    expect.stringMatching(/^octavo-preview-[\w-]{12}=; .*Max-Age=0$/),
  ]);
  const url = new URL("http://x.test/?a=b&preview_token=v2.k.x&jwt_token=a.b.c");
  dropTokens(url);
  expect(url.search).toBe("?a=b");
  for (const none of ["", "x", `v2.${"x".repeat(4_000)}`, "a;b.c"])
    expect(read(owner, "", `http://x.test/?preview_token=${none}`).preview).toBeUndefined();
});

test("on a host of a site's own no other host can set its cookie", () => {
  const owner = { name: "docs.example.com", isOwnHost: true, secure: true };
  const [cookie = "", ...others] = cookiesFor(owner, "/key/", { jwt: PROVED, inAddress: true });
  expect(others).toEqual([]);
  expect(cookie).toMatch(
    /^__Host-octavo-visitor-[\w-]{12}=a\.b\.c; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(read(owner, cookie).jwt).toBe(PROVED);
  expect(read(owner, cookie.replace("__Host-", "")).jwt).toBeUndefined();
});

test("claims that are too long count for nothing, and take nothing else with them", () => {
  const owner = { name: "docs", isOwnHost: false, secure: false };
  const url = "http://x.test/?visitor.beta=true";
  const { claims, kept } = read(owner, `gitbook-visitor-public={"a":"${"x".repeat(3_000)}"}`, url);
  expect([claims, kept]).toEqual([{ beta: true }, `{"beta":true}`]);
  const [cookie = ""] = claimsCookie(owner, "/", `{"beta":true}`).split(";");
  const long = read(owner, cookie, `http://x.test/?visitor.text=${"x".repeat(3_000)}`);
  expect([long.claims, long.kept]).toEqual([{ beta: true }, undefined]);
  expect(read(owner, cookie, "http://x.test/?visitor.beta=undefined").kept).toBe("");
});
