import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { type Client, eventually } from "../../tests/harness/client.js";
import type { makerOf } from "../../tests/harness/permissions.js";

type Make = ReturnType<typeof makerOf>;

/** A page of the space that a site shows, as the API has it. */
export interface SourcePage {
  id: string;
  title: string;
  path: string;
  /** Where readers find it. */
  url: string;
  document: Document;
  /** Its file in the folder that the space was imported from. */
  file?: string;
}

export interface Node {
  object: string;
  type?: string;
  text?: string;
  data?: Record<string, unknown>;
  nodes?: Node[];
  leaves?: Node[];
  fragments?: Node[];
  marks?: Node[];
}
export interface Document {
  nodes: Node[];
}

/** A published site, and what it was made of. */
export interface Site {
  name: string;
  call: Client;
  make: Make;
  organization: string;
  id: string;
  space: string;
  /** Its address, with a slash at its end. */
  address: string;
  /** The folder that its space was imported from. */
  folder?: string;
  pages: SourcePage[];
}

interface Tree {
  id: string;
  type: string;
  title: string;
  path?: string;
  git?: { path: string };
  hidden?: boolean;
  pages?: Tree[];
}

/** Imports a folder by git into a space of its own, publishes it as a site, and reads what it holds by the API. */
export async function publishFolder(call: Client, make: Make, folder: string): Promise<Site> {
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const title = basename(folder);
  const space = (await make("POST", `/orgs/${organization}/spaces`, { title })).id;
  const copied = await withoutGitFolder(folder);
  const repository = await serveRepository(copied);
  try {
    await call("POST", `/spaces/${space}/git/import`, { url: repository.url, ref: "refs/heads/main" });
    const { state, error } = await eventually(async () => {
      const { body } = await call<{ operation: { state: string; error?: string } }>(
        "GET",
        `/spaces/${space}/git/info`,
      );
      return body.operation.state === "running" ? undefined : body.operation;
    }, 300_000);
    if (state !== "success") throw new Error(`${title} was not imported: ${error}`);
  } finally {
    await repository.close();
    if (copied !== folder) await rm(copied, { recursive: true });
  }
  return { ...(await publishSpace(call, make, { organization, space, title })), folder };
}

/** Returns a copy of the folder without `.git`; the folder itself when it has none. */
async function withoutGitFolder(folder: string): Promise<string> {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}`);
  const names = await readdir(folder);
  if (!names.includes(".git")) return folder;
  const copy = await mkdtemp(join(tmpdir(), "octavo-corpus-"));
  await cp(folder, copy, { recursive: true, filter: (path) => basename(path) !== ".git" });
  return copy;
}

/** Changes a space by a change request, and merges it. */
export async function merge({ make, space }: Pick<Site, "make" | "space">, changes: object[]): Promise<void> {
  const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
  await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
}

interface Published {
  organization: string;
  space: string;
  title: string;
}

/** A space that is written, in the words of its pages. */
export interface Written {
  title: string;
  language?: string;
  pages: readonly { title: string; slug?: string; markdown: string }[];
}

/** Writes a space of pages; its id. */
export async function writeSpace(
  { make, organization }: Pick<Site, "make" | "organization">,
  { pages, ...about }: Written,
): Promise<string> {
  const { id: space } = await make("POST", `/orgs/${organization}/spaces`, about);
  const changes = pages.map(({ markdown, ...page }) => ({
    operation: "insert_page",
    ...page,
    document: { markdown: `# ${page.title}\n\n${markdown}\n` },
  }));
  await merge({ make, space }, changes);
  return space;
}

/** Writes pages into a space of their own, behind one that says nothing, and publishes it as a site. */
export async function publishPages(
  { call, make, organization }: Pick<Site, "call" | "make" | "organization">,
  title: string,
  pages: Written["pages"],
): Promise<Site> {
  const written = [{ title: "Welcome", markdown: "Hello." }, ...pages];
  const space = await writeSpace({ make, organization }, { title, pages: written });
  return publishSpace(call, make, { organization, space, title });
}

/** Publishes a space as a site of its own, and reads what it holds. */
export async function publishSpace(call: Client, make: Make, published: Published): Promise<Site> {
  const site = await publishSite(call, make, published);
  return { ...site, pages: await readPages(call, site.space, site.address) };
}

/** Publishes a space as a site of its own. */
export async function publishSite(
  call: Client,
  make: Make,
  { organization, space, title }: Published,
): Promise<Omit<Site, "pages">> {
  const name = title.length > 1 ? title : `Site ${title}`;
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title: name, spaces: [space] });
  await make("POST", `/orgs/${organization}/sites/${id}/publish`);
  const read = await call<{ urls: { published: string } }>("GET", `/orgs/${organization}/sites/${id}`);
  const address = read.body.urls.published;
  await eventually(async () => (await fetch(address)).status === 200, 30_000);
  return { name, call, make, organization, id, space, address };
}

/** Reads the pages that readers find of a space at an address, by the API. */
export async function readPages(call: Client, space: string, address: string): Promise<SourcePage[]> {
  const { body } = await call<{ pages: Tree[] }>("GET", `/spaces/${space}/content/pages`);
  const listed: Tree[] = [];
  const open = [...body.pages].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    // What lies below a hidden page is hidden as well.
    if (next.hidden) continue;
    if (next.type === "document") listed.push(next);
    open.push(...[...(next.pages ?? [])].reverse());
  }
  const pages: SourcePage[] = [];
  for (const [index, { id, title, path = "", git }] of listed.entries()) {
    const at = `/spaces/${space}/content/page/${id}?format=document&evaluated=true`;
    const { document } = (await call<{ document?: Document }>("GET", at)).body;
    const url = address + (index === 0 ? "" : path.split("/").map(encodeURIComponent).join("/"));
    pages.push({ id, title, path, url, document: document ?? { nodes: [] }, ...(git && { file: git.path }) });
  }
  return pages;
}

/** All nodes of a document in their order, without those that are left out and what lies in them. */
export function* nodesOf({ nodes }: Document, leftOut = (_: Node) => false): Generator<Node> {
  const open = [...nodes].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if (leftOut(next)) continue;
    yield next;
    const inner = [...(next.nodes ?? []), ...(next.leaves ?? []), ...(next.fragments ?? [])];
    open.push(...inner.reverse());
  }
}
