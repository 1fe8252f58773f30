import { resolve } from "node:path";
import { SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { audienceOf, type ExpectedPage, type Meets } from "../harness/folder-audience.js";
import { HANDBOOK, importFolder } from "../harness/furnish.js";
import { makerOf } from "../harness/permissions.js";
import { type ReadSpace, rendererOf, type Visitor } from "../harness/renderer.js";
import { sharedStack } from "../harness/shared-stack.js";

// A whole site, built through the gateway and read through it by a renderer that knows its address alone: two sections,
// one of them in a group, three variants in two languages, redirects, share links and visitors who prove who they are.
// Each kind of visitor sees exactly the pages, sentences and files that the folders assign to them.

const fixture = (name: string) => resolve(import.meta.dirname, "../fixtures", name);
const template = (name: string) => resolve(import.meta.dirname, "../../services/content/templates", name);

/** Folders by the titles of the spaces that they are imported into, in the order of the site. */
const FOLDERS = {
  Manual: fixture("lighthouse"),
  Handbuch: fixture("leuchtturm"),
  "First edition": template("product-docs"),
  Handbook: HANDBOOK,
};
type Title = keyof typeof FOLDERS;

/** What stands on site spaces and sections; conditions of pages and blocks stand in the folders. */
const CONDITIONS: Partial<Record<Title, string>> = {
  "First edition": 'visitor.claims.plan == "pro"',
  Handbook: "visitor.claims.staff",
};

const claim = { type: "boolean", description: "A flag." };
const SCHEMA = {
  type: "object",
  properties: {
    staff: claim,
    plan: { type: "string", enum: ["free", "pro"], description: "What they pay for." },
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { beta: claim },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

interface Claims {
  staff?: boolean;
  plan?: "free" | "pro";
  beta?: boolean;
}
const meeting =
  ({ staff = false, plan, beta = false }: Claims): Meets =>
  (condition) => {
    const known: Record<string, boolean> = {
      "visitor.claims.staff": staff,
      'visitor.claims.plan == "pro"': plan === "pro",
      "visitor.claims.unsigned.beta": beta,
    };
    if (!(condition in known)) throw new Error(`Nobody decided ${condition}`);
    return known[condition]!;
  };

let call: Client;
/** Somebody who is not in the organization of the site. */
let stranger: Client;
let make: ReturnType<typeof makerOf>;
let site: string;
let address: string;
const siteSpaces = {} as Record<Title, string>;
const spaces = {} as Record<Title, string>;

async function newSpace(org: string, title: Title, settings: object = {}): Promise<void> {
  spaces[title] = (await make("POST", `${org}/spaces`, { title, ...settings })).id;
  await importFolder(call, spaces[title], FOLDERS[title]);
}

beforeAll(async () => {
  const stack = await sharedStack();
  call = createClient(stack);
  stranger = createClient(await sharedStack());
  make = makerOf(call);
  const org = `/orgs/${(await make<{ items: { id: string }[] }>("GET", "/orgs")).items[0]!.id}`;
  await Promise.all([
    newSpace(org, "Manual", { language: "en" }),
    newSpace(org, "Handbuch", { language: "de" }),
    newSpace(org, "First edition", { language: "en" }),
    newSpace(org, "Handbook", { language: "en" }),
  ]);
  const made = await make("POST", `${org}/sites`, { title: "The Lighthouse", spaces: [spaces.Manual] });
  site = `${org}/sites/${made.id}`;
  type Made = { id: string; siteSpaces: { id: string }[] };
  const staff = await make<Made>("POST", `${site}/sections`, { spaceId: spaces.Handbook, title: "Crew" });
  const { items } = await make<{ items: Made[] }>("GET", `${site}/sections`);
  const manual = items.find(({ id }) => id !== staff.id)!;
  siteSpaces.Manual = manual.siteSpaces[0]!.id;
  siteSpaces.Handbook = staff.siteSpaces[0]!.id;
  for (const title of ["Handbuch", "First edition"] as const) {
    const added = { spaceId: spaces[title], sectionId: manual.id };
    siteSpaces[title] = (await make("POST", `${site}/site-spaces`, added)).id;
  }
  await make("POST", `${site}/section-groups`, { title: "Inside", sections: [staff.id] });
  await make("PUT", `${site}/adaptive-schema`, { jsonSchema: SCHEMA });
  await make("PATCH", `${site}/sections/${staff.id}`, { condition: CONDITIONS.Handbook });
  const edition = `${site}/site-spaces/${siteSpaces["First edition"]}`;
  await make("PATCH", edition, { path: "v1", condition: CONDITIONS["First edition"] });
  await make("PATCH", site, { adaptiveContent: { enabled: true } });
  const { pages } = await make<{ pages: { id: string; title: string; path: string }[] }>(
    ...(["GET", `/spaces/${spaces.Manual}/content/pages`] as const),
  );
  const lamp = pages.find(({ title }) => title === "Keeping the lamp")!;
  expect(lamp.path).toBe("keeping");
  for (const [source, destination] of [
    ["/lamp", { kind: "site-page", siteSpaceId: siteSpaces.Manual, pageId: lamp.id }],
    ["/old/*", { kind: "site-space", siteSpaceId: siteSpaces["First edition"] }],
    ["/crew-only", { kind: "site-section", siteSectionId: staff.id }],
    ["/coast-guard", { kind: "url", url: "https://example.com/guard" }],
  ])
    await make("POST", `${site}/redirects`, { source, destination });
  address = (await make<{ urls: { published: string } }>("POST", `${site}/publish`)).urls.published;
});

/** What a visitor with these claims is to see: the titles of spaces, with the pages that the folders name. */
function expectedFor(claims: Claims) {
  const meets = meeting(claims);
  const titles = (Object.keys(FOLDERS) as Title[]).filter((title) => {
    const condition = CONDITIONS[title];
    return condition === undefined || meets(condition);
  });
  return titles.map((title) => ({ title, ...audienceOf(FOLDERS[title], meets) }));
}

const spaced = (text: string) => text.replaceAll(/\s+/g, " ");
const has = (text: string) => (sentence: string) => spaced(text).includes(spaced(sentence));

/** Holds what a visitor was shown against the folders: every page and sentence of theirs, and no other. */
function expectWalked(walked: ReadSpace[], claims: Claims) {
  const expected = expectedFor(claims);
  expect(walked.map(({ title, pages }) => [title, pages.map((page) => page.title)])).toEqual(
    expected.map(({ title, seen }) => [title, seen.map((page) => page.title)]),
  );
  const all = walked.flatMap(({ pages }) => pages.map(({ text }) => text)).join("\n");
  for (const [at, { seen, kept }] of expected.entries()) {
    for (const [index, { says, hides }] of seen.entries()) {
      const { text } = walked[at]!.pages[index]!;
      expect(says.filter((sentence) => !has(text)(sentence))).toEqual([]);
      expect(hides.filter(has(all))).toEqual([]);
    }
    for (const { says, hides } of kept) expect([...says, ...hides].filter(has(all))).toEqual([]);
  }
  expect(
    walked
      .find(({ title }) => title === "Manual")!
      .files.get("lamp.png")
      ?.subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect(walked.map(({ language }) => language)).toEqual(
    expected.map(({ title }) => (title === "Handbuch" ? "de" : "en")),
  );
}

/** Has a renderer read the whole site for a visitor, and search it for what is theirs and what is not. */
async function read(url: string, visitor: Visitor, claims: Claims) {
  const renderer = rendererOf(stranger, visitor);
  const walked = await eventually(async () => {
    const spaces = await renderer.walk(url);
    if ("refused" in spaces) throw new Error(`${url} is refused: ${spaces.refused}`);
    return spaces;
  });
  expectWalked(walked, claims);
  const addresses = new Set(walked.flatMap(({ pages }) => pages.map((page) => page.url)));
  for (const { url: page, title } of walked.flatMap(({ pages }) => pages))
    expect(await renderer.search(url, title), title).toContain(page);
  for (const { title, seen, kept } of expectedFor({ staff: true, plan: "pro", beta: true })) {
    const own = expectedFor(claims).find((space) => space.title === title);
    const others: ExpectedPage[] = [...kept, ...(own ? own.kept : seen)];
    const sentences = [
      ...others.flatMap(({ says }) => says),
      ...(own?.seen ?? []).flatMap(({ hides }) => hides),
    ];
    for (const sentence of sentences)
      expect(await renderer.search(url, `"${sentence}"`), sentence).toEqual([]);
  }
  for (const found of await renderer.search(url, "the")) expect(addresses).toContain(found);
  return renderer;
}

const redirectsFor = async (renderer: ReturnType<typeof rendererOf>, root: string) => {
  const lead = async (path: string) => {
    const found = await renderer.find(root + path);
    return "refused" in found ? found.refused : found.canonicalUrl;
  };
  return Promise.all(["lamp", "old/concepts", "crew-only", "coast-guard"].map(lead));
};

test("a public site is shown to everybody as to a visitor who claims nothing", async () => {
  const renderer = await read(address, {}, {});
  expect(await redirectsFor(renderer, address)).toEqual([
    `${address}keeping`,
    // What a visitor is not shown is nowhere: the address is a path of the default space.
    `${address}old/concepts`,
    `${address}crew-only`,
    "https://example.com/guard",
  ]);
});

test("a site with share links is read by who has one, and by nobody else", async () => {
  const nobody = rendererOf(stranger);
  await make("PATCH", site, { visibility: "share-link" });
  const link = await make<{ id: string; urls: { published: string } }>("POST", `${site}/share-links`, {
    name: "Press",
  });
  const root = link.urls.published;
  const renderer = await read(root, { unsignedClaims: { beta: true, staff: true } }, { beta: true });
  expect((await redirectsFor(renderer, root))[0]).toBe(`${root}keeping`);
  expect(await nobody.walk(address)).toEqual({ refused: 404 });
  await make("PATCH", `${site}/share-links/${link.id}`, { active: false });
  expect(await nobody.walk(root)).toEqual({ refused: 404 });
});

test("a site with visitor authentication shows each visitor what their claims allow, and nothing to others", async () => {
  await make("PATCH", site, { visibility: "visitor-auth" });
  const fallbackURL = "https://login.example.com/start";
  const { privateKey } = await make<{ privateKey: string }>("PATCH", `${site}/publishing/auth`, {
    backend: "custom",
    fallbackURL,
  });
  const signed = async (claims: object, key = privateKey): Promise<Visitor> => ({
    jwtToken: await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(key)),
  });
  const pays = await read(address, await signed({ plan: "pro" }), { plan: "pro" });
  expect(await redirectsFor(pays, address)).toEqual([
    `${address}keeping`,
    `${address}the-lighthouse/v1/concepts`,
    `${address}crew-only`,
    "https://example.com/guard",
  ]);
  const works = await read(address, await signed({ staff: true, plan: "free" }), {
    staff: true,
    plan: "free",
  });
  expect((await redirectsFor(works, address)).slice(1, 3)).toEqual([
    `${address}old/concepts`,
    `${address}crew/`,
  ]);
  for (const visitor of [undefined, await signed({ plan: "pro" }, "the key of somebody else")]) {
    const login = { refused: `${fallbackURL}?location=` };
    expect(await rendererOf(stranger, visitor).walk(address)).toEqual(login);
  }
  expect((await stranger("GET", `${site}/published`)).status).toBe(404);
  expect((await stranger("GET", `/spaces/${spaces.Manual}/content`)).status).toBe(404);
});
