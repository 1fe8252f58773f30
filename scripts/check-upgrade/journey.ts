import { createClient, eventually } from "../../tests/harness/client.js";
import type { Stack } from "../../tests/harness/stack.js";
import { openTunnel } from "../../tests/harness/tunnel.js";

/** What a journey made, to be looked at again later. */
export interface Made {
  organization: string;
  space: string;
  page: string;
  markdown: string;
  request: number;
  comment: string;
  site: string;
  integration: string;
}

const EVENTS_WITHIN_MS = 30_000;

/**
 * A short way through the product with one request after the other: a space, a page, a comment, a change request that is
 * merged, the search, a site that is published, and the events of services and integrations. Throws at the first
 * response that refuses, or is not what it must be.
 */
export async function journey(stack: Stack, name: string): Promise<Made> {
  const send = sender(stack);
  const orgs = await send("GET", "/orgs");
  const organization = String(orgs.items[0]!.id);
  const tunnel = await openTunnel();
  try {
    const integration = `watcher-${name}`;
    const about = { title: name, description: "Sees what happens", scopes: ["space:content:read"] };
    await send("POST", `/integrations/${integration}`, {
      ...about,
      script: "export default {}",
      organization,
    });
    await send("PUT", `/integrations/${integration}/dev`, { tunnelUrl: tunnel.url });
    await send("POST", `/integrations/${integration}/installations`, { organization });
    await eventually(async () => tunnel.answered.length > 0, EVENTS_WITHIN_MS);

    const space = String((await send("POST", `/orgs/${organization}/spaces`, { title: name })).id);
    const word = `periscope${name}`;
    const markdown = `# ${name}\n\nPolish the ${word}. [There](https://a.example)\n`;
    const insert = { operation: "insert_page", title: name, document: { markdown } };
    await merged(send, space, { changes: [insert] });
    const page = String((await send("GET", `/spaces/${space}/content/pages`)).pages[0]!.id);
    const edited = markdown.replace("Polish", "Clean");
    const update = { operation: "update_page", page, document: { markdown: edited } };
    const request = await merged(send, space, { changes: [update] });
    const comment = await send("POST", `/spaces/${space}/comments`, {
      page,
      body: { markdown: "Why?" },
    });
    await eventually(async () => (await send("GET", `/spaces/${space}/search?query=${word}`)).count === 1);

    const site = await send("POST", `/orgs/${organization}/sites`, { title: name, spaces: [space] });
    await send("POST", `/orgs/${organization}/sites/${site.id}/publish`);
    await eventually(
      async () => (await send("GET", `/spaces/${space}`)).visibility === "public",
      EVENTS_WITHIN_MS,
    );
    const made = { organization, space, page, markdown: edited, request, comment: String(comment.id) };
    return { ...made, site: String(site.id), integration };
  } finally {
    await tunnel.close();
  }
}

/** Reads what a journey made; throws where it is not what it was. */
export async function lookAt(stack: Stack, made: Made): Promise<void> {
  const send = sender(stack);
  const { organization, space, page, request, comment, site, integration } = made;
  const read = await send("GET", `/spaces/${space}/content/page/${page}`);
  same("the page", read.markdown, made.markdown);
  same("the space", (await send("GET", `/spaces/${space}`)).visibility, "public");
  same(
    "the change request",
    (await send("GET", `/spaces/${space}/change-requests/${request}`)).status,
    "merged",
  );
  same("the comment", (await send("GET", `/spaces/${space}/comments/${comment}`)).id, comment);
  same("the comments", (await send("GET", `/spaces/${space}/comments`)).items.length, 1);
  same("the links", (await send("GET", `/spaces/${space}/content/page/${page}/links`)).items.length, 1);
  same("the site", (await send("GET", `/orgs/${organization}/sites/${site}`)).published, true);
  await send("GET", `/orgs/${organization}/sites/${site}/published`);
  const events = await send("GET", `/integrations/${integration}/events`);
  same(
    "the event",
    events.items.some(({ status }) => status === "success"),
    true,
  );
  await send("GET", `/orgs/${organization}/members`);
  await send("GET", `/orgs/${organization}/search?query=periscope`);
}

type Body = Record<string, unknown> & {
  items: Record<string, unknown>[];
  pages: Record<string, unknown>[];
};
type Send = (method: string, path: string, body?: unknown) => Promise<Body>;

function sender(stack: Stack): Send {
  const call = createClient({ base: stack.base, token: stack.token, patienceMs: 10_000 });
  return async (method, path, body) => {
    const response = await call<Body>(method, path, body);
    if (response.status < 300) return response.body;
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  };
}

/** Merges changes by a change request; returns its number. */
async function merged(send: Send, space: string, changes: object): Promise<number> {
  const { number } = await send("POST", `/spaces/${space}/change-requests`, { subject: "Change" });
  await send("POST", `/spaces/${space}/change-requests/${number}/content`, changes);
  const { result } = await send("POST", `/spaces/${space}/change-requests/${number}/merge`);
  same("the merge", result, "merge");
  return Number(number);
}

function same(what: string, is: unknown, expected: unknown): void {
  if (is !== expected)
    throw new Error(`${what} is ${JSON.stringify(is)} instead of ${JSON.stringify(expected)}`);
}
