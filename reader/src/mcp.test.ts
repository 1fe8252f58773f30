import { expect, test } from "vitest";
import { sendMcp } from "./mcp.js";
import { PRIVATE, type Shown } from "./send.js";
import { spaceFrom } from "./space.js";
import { keptResponse, look, page } from "./testing.js";
import { wordsIn } from "./words/index.js";

const ROOT = "https://docs.example/";

/** The tools of a site that is asked for below `/sites/acme/`, and whose pages have addresses on a host of their own. */
function createSite() {
  const asked: string[] = [];
  const visitor = {
    caller: { token: "one", epoch: 0 },
    sites: {
      search: {
        search: {
          query: async ({ query }: { query: string }) => {
            asked.push(`search ${query}`);
            return { items: [] };
          },
        },
      },
    },
  };
  const place = {
    ...{ visitor, organization: "o", site: "acme", siteSpace: "guides", space: "guides", revision: "1" },
    ...{ siteRoot: "/sites/acme/", root: "/sites/acme/", siteBase: "/sites/acme/", base: "/sites/acme/" },
    ...{ siteCanonical: ROOT, canonical: ROOT },
  };
  const site = { title: "Acme", version: "1", look, words: wordsIn("en"), spaces: [] };
  const space = spaceFrom("guides", { files: [], pages: [page("start", "Start"), page("set-up", "Set up")] });
  /** The text that a tool returns. */
  async function use(name: string, given: object) {
    const { res, sent } = keptResponse();
    const req = { method: "POST", headers: { "content-type": "application/json" } };
    // Cast: what tools look at, of all that is shown.
    const shown = { req, res, place, site, space } as unknown as Shown;
    const params = { name, arguments: given };
    await sendMcp(shown, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    expect([sent.status, sent.headers["cache-control"]]).toEqual([200, PRIVATE]);
    const { result } = JSON.parse(/\{.*\}/.exec(sent.text())![0]) as {
      result: { content: { text: string }[]; isError?: true };
    };
    return { text: result.content[0]!.text, isError: result.isError === true };
  }
  return { asked, use };
}

test("words that are none are found nowhere, and not looked for", async () => {
  const { use, asked } = createSite();
  for (const query of [" ", "\u0000\n"])
    expect(await use("search", { query })).toEqual({ text: wordsIn("en").nothing, isError: false });
  expect(asked).toEqual([]);
  await use("search", { query: " wombats " });
  expect(asked).toEqual(["search wombats"]);
});
