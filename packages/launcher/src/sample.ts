import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { addressOf } from "./deployables.js";
import type { Settings } from "./settings.js";
import type { StateFile } from "./state.js";
import { step } from "./terminal.js";

const title = "Writing with Octavo";
const subject = "Add the first pages";

/** The pages, in order; `into` is the page that one lies below. */
const pages: { ref: string; file: string; title: string; into?: string }[] = [
  { ref: "welcome", file: "welcome", title: "Welcome" },
  { ref: "pages", file: "writing-pages", title: "Writing pages" },
  { ref: "changes", file: "change-requests", title: "Change requests" },
  { ref: "import", file: "importing", title: "Importing from git", into: "pages" },
  { ref: "blocks", file: "every-block", title: "Every block" },
  { ref: "interface", file: "an-interface", title: "An interface" },
  { ref: "publish", file: "publishing", title: "Publishing a site" },
  { ref: "new", file: "what-is-new", title: "What is new" },
];

/** What several pages include. */
const includes = [{ file: "the-token", title: "The token" }];

/** Pictures that the pages show, and what they offer to download. */
const files = ["cover.svg", "cycle.svg", "cycle-dark.svg", "a-request.svg", "interface.json"];

/** The specification whose operations a page shows. */
const specification = { slug: "octavo-sample", file: "interface.json" };
/** A page shows no operation before its specification is read; nobody waits longer for that. */
const READ_WITHIN_MS = 10_000;

interface Given {
  settings: Settings;
  file: StateFile;
  token: string;
}

/**
 * Makes the sample space and its site through the public API, as any client would. Each step that is done
 * is remembered; a step that was broken off is found again by its title instead of being done twice.
 */
export async function ensureSample({ settings, file, token }: Given): Promise<void> {
  const { state } = file;
  if (state.sample.published) return;
  const call = client(settings, token);
  const resumed = state.sample.started;
  const org = `/orgs/${state.first?.organization}`;
  await step("Sample space published", async () => {
    await once("started", async () => true);
    const space = await once("space", async () => {
      const known = await find(`${org}/spaces?limit=1000`, (one) => one.title === title);
      return known ?? (await call<Thing>("POST", `${org}/spaces`, { title, emoji: "1f4d8" })).id;
    });
    await once("specification", async () => {
      const path = `${org}/openapi/${specification.slug}`;
      const known = await find(`${org}/openapi?limit=1000`, ({ slug }) => slug === specification.slug);
      const text = textOf(specification.file, settings);
      if (!known) await call("POST", `${org}/openapi`, { slug: specification.slug, source: { text } });
      for (const until = Date.now() + READ_WITHIN_MS; Date.now() < until; await sleep(100))
        if ((await call<Thing>("GET", path)).processingState === "complete") break;
      return true;
    });
    const changeRequests = `/spaces/${space}/change-requests`;
    const changeRequest = await once("changeRequest", async () => {
      const known = await find(`${changeRequests}?status=draft`, (one) => one.subject === subject);
      return known ?? (await call<Thing>("POST", changeRequests, { subject })).id;
    });
    const current = `${changeRequests}/${changeRequest}`;
    await once("files", async () => {
      const there = await call<{ items: { name: string }[] }>("GET", `${current}/content/files`);
      const isThere = there.items.some(({ name }) => name === files[0]);
      if (!isThere) await call("POST", `${current}/content`, { changes: [filesInsertion(settings)] });
      return true;
    });
    await once("written", async () => {
      const there = await call<{ pages: Thing[] }>("GET", `${current}/content/pages`);
      const written = there.pages.some((page) => page.title === "Welcome");
      if (!written)
        await call("POST", `${current}/content`, {
          changes: [...includes.map(inclusion), ...pages.map(insertion)],
        });
      return true;
    });
    await once("merged", async () => {
      const { status } = await call<{ status: string }>("GET", current);
      if (status !== "merged") await call("POST", `${current}/merge`);
      return true;
    });
    const site = await once("site", async () => {
      const known = await find(`${org}/sites?limit=1000`, (one) => one.title === title);
      const wanted = { title, visibility: "public", spaces: [space] };
      return known ?? (await call<Thing>("POST", `${org}/sites`, wanted)).id;
    });
    await once("styled", async () => {
      const path = `${org}/sites/${site}/customization`;
      const look = await call<Look>("GET", path);
      const reference = { title: "API reference", to: { kind: "url", url: "/docs" }, links: [] };
      const header = { ...look.header, links: [reference] };
      await call("PUT", path, { ...look, header, feedback: { enabled: true } });
      return true;
    });
    await once("published", async () => {
      await call("POST", `${org}/sites/${site}/publish`);
      return true;
    });
  });

  async function once<Key extends keyof typeof state.sample>(
    key: Key,
    work: () => Promise<NonNullable<(typeof state.sample)[Key]>>,
  ) {
    const known = state.sample[key];
    if (known) return known as NonNullable<typeof known>;
    const made = await work();
    state.sample[key] = made;
    file.save();
    return made;
  }

  async function find(path: string, isIt: (one: Thing) => boolean) {
    if (!resumed) return undefined;
    const { items } = await call<{ items: Thing[] }>("GET", path);
    return items.find(isIt)?.id;
  }
}

interface Thing {
  id: string;
  title?: string;
  subject?: string;
  slug?: string;
  processingState?: string;
}

interface Look {
  header: { links: object[] };
}

const sampleFile = (path: string): string =>
  readFileSync(new URL(`../sample/${path}`, import.meta.url), "utf8");

/** A file of the sample, in which the address of this installation is filled in. */
const textOf = (file: string, { baseUrl }: Settings): string =>
  sampleFile(`files/${file}`).replace("{base}", baseUrl);

const filesInsertion = (settings: Settings) => ({
  operation: "insert_files",
  files: files.map((name) => ({ name, base64: Buffer.from(textOf(name, settings)).toString("base64") })),
});

const inclusion = ({ file, title }: (typeof includes)[number]) => ({
  operation: "insert_reusable_content",
  title,
  document: { markdown: sampleFile(`includes/${file}.md`) },
});

const insertion = ({ ref, file, title, into }: (typeof pages)[number]) => ({
  operation: "insert_page",
  ref,
  title,
  into,
  document: { markdown: sampleFile(`${file}.md`) },
});

function client(settings: Settings, token: string) {
  return async <TestResponse>(method: string, path: string, body?: object): Promise<TestResponse> => {
    const response = await fetch(`${addressOf("gateway", settings)}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(
        `The sample could not be made: ${method} /v1${path} returned ${response.status} ${text}`,
      );
    return JSON.parse(text) as TestResponse;
  };
}
