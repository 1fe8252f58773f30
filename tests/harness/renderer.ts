import type { Client } from "./client.js";

// A renderer as small as one can be: it knows an address that somebody typed and the interface, and nothing of who
// publishes there. It may ask, with the token of whoever; what it reads of a site it reads with what the site gives it.

/** Who comes to a site. */
export interface Visitor {
  jwtToken?: string;
  unsignedClaims?: Record<string, unknown>;
}

/** What `POST /urls/published` says of an address. */
export interface Content {
  organization: string;
  site: string;
  version: number;
  siteSpace: string;
  space: string;
  revision: string;
  basePath: string;
  siteBasePath: string;
  pathname: string;
  canonicalUrl: string;
  shareKey?: string;
  apiToken: string;
}

/** Why a visitor is shown nothing: a status, or where they have to go first. */
export interface Refused {
  refused: number | string;
}

/** A page as a visitor has it before them. */
export interface ReadPage {
  title: string;
  url: string;
  /** All words of its document, and of what it includes. */
  text: string;
}

export interface ReadSpace {
  title: string;
  language?: string;
  url: string;
  pages: ReadPage[];
  /** The files that pages may name, by their names. */
  files: Map<string, Buffer>;
}

interface SiteSpace {
  object: "site-space";
  title: string;
  space: { language?: string };
  urls: { published: string };
}
interface Section {
  object: "site-section";
  siteSpaces: SiteSpace[];
}
interface Group {
  object: "site-section-group";
  sections: Section[];
  children?: Item[];
}
type Item = SiteSpace | Section | Group;

interface Page {
  id: string;
  title: string;
  type: "document" | "group" | "link" | "computed";
  path: string;
  pages?: Page[];
}
interface Revision {
  pages: Page[];
  files: { name: string; downloadURL: string }[];
}
interface Node {
  type?: string;
  text?: string;
  data?: { ref?: { kind: string; reusableContent?: string } };
  nodes?: Node[];
  leaves?: { text: string }[];
  fragments?: Node[];
}

/** A site as one visitor sees it, by one of its addresses. */
export function rendererOf(call: Client, visitor?: Visitor) {
  const find = async (url: string): Promise<Content | Refused> => {
    const question = { url, visitor, redirectOnError: true };
    const { status, body } = await call<Content & { redirect?: string }>("POST", "/urls/published", question);
    if (status !== 200) return { refused: status };
    return body.redirect === undefined ? body : { refused: body.redirect };
  };

  /** Everything that the site shows, space by space in its own order; or why that is nothing. */
  const walk = async (url: string): Promise<ReadSpace[] | Refused> => {
    const root = await find(url);
    if ("refused" in root) return root;
    const spaces: ReadSpace[] = [];
    for (const shown of await siteSpacesOf(call, root)) spaces.push(await readSpace(shown));
    return spaces;
  };

  const readSpace = async ({ title, space, urls }: SiteSpace): Promise<ReadSpace> => {
    const at = mustBeThere(await find(urls.published), urls.published);
    const read = reading(call, at);
    const { pages, files } = await read<Revision>("");
    const texts: ReadPage[] = [];
    for (const page of documentsIn(pages)) {
      const url = urls.published + page.path.split("/").map(encodeURIComponent).join("/");
      const { pathname } = mustBeThere(await find(url), url);
      const { id, title } = await read<Page>(`/path${pathname}`);
      texts.push({ title, url, text: await textOf(read, await read<Node>(`/page/${id}/document`)) });
    }
    return {
      title,
      language: space.language,
      url: urls.published,
      pages: texts,
      files: await fetched(files),
    };
  };

  /** The addresses of the pages that a search of the whole site finds. */
  const search = async (url: string, query: string): Promise<string[]> => {
    const { organization, site, shareKey, apiToken } = mustBeThere(await find(url), url);
    const body = { query, scope: { mode: "all" } };
    const path = `/orgs/${organization}/sites/${site}/search${withKey(shareKey)}`;
    const found = await call.as(apiToken)<{ items: { pages: { urls: { published: string } }[] }[] }>(
      ...(["POST", path, body] as const),
    );
    return found.body.items.flatMap(({ pages }) => pages.map(({ urls }) => urls.published));
  };

  return { find, walk, search };
}

const withKey = (shareKey: string | undefined) => (shareKey === undefined ? "" : `?shareKey=${shareKey}`);

/** All that a site shows at its addresses, in its order. */
async function siteSpacesOf(call: Client, root: Content): Promise<SiteSpace[]> {
  const { organization, site, shareKey, apiToken } = root;
  const { status, body } = await call.as(apiToken)<{ structure: { structure: Item[] } }>(
    ...(["GET", `/orgs/${organization}/sites/${site}/published${withKey(shareKey)}`] as const),
  );
  if (status !== 200) throw new Error(`The profile of ${root.canonicalUrl} is ${status}`);
  const within = (item: Item): SiteSpace[] => {
    if (item.object === "site-space") return [item];
    if (item.object === "site-section") return item.siteSpaces;
    return (item.children ?? item.sections).flatMap(within);
  };
  return body.structure.structure.flatMap(within);
}

type Read = <T>(path: string) => Promise<T>;

/** Reads below the revision that an address shows. */
const reading =
  (call: Client, { space, revision, apiToken }: Content): Read =>
  async <T>(path: string) => {
    const { status, body } = await call.as(apiToken)("GET", `/spaces/${space}/revisions/${revision}${path}`);
    if (status !== 200) throw new Error(`${path} of ${space} is ${status}`);
    return body as T;
  };

const documentsIn = (pages: Page[]): Page[] =>
  pages.flatMap((page) => [...(page.type === "document" ? [page] : []), ...documentsIn(page.pages ?? [])]);

/** The words of a document; what it includes is read where it stands. */
async function textOf(read: Read, node: Node): Promise<string> {
  const words = [node.text ?? "", ...(node.leaves ?? []).map(({ text }) => text)];
  for (const inner of [...(node.nodes ?? []), ...(node.fragments ?? [])])
    words.push(await textOf(read, inner));
  const included = node.data?.ref?.kind === "reusable-content" ? node.data.ref.reusableContent : undefined;
  if (included) words.push(await textOf(read, await read(`/reusable-contents/${included}/document`)));
  const isLine = node.type === undefined || node.leaves !== undefined;
  return words.filter(Boolean).join(isLine ? "" : " ");
}

async function fetched(files: Revision["files"]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const { name, downloadURL } of files) {
    const response = await fetch(downloadURL);
    if (response.ok) contents.set(name, Buffer.from(await response.arrayBuffer()));
  }
  return contents;
}

function mustBeThere(found: Content | Refused, url: string): Content {
  if ("refused" in found) throw new Error(`${url} shows nothing: ${found.refused}`);
  return found;
}
