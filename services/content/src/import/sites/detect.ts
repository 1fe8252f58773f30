import type { Archive } from "../material/archive.js";
import { docusaurusIn } from "./docusaurus.js";
import { mintlifyIn } from "./mintlify.js";
import { mkdocsIn } from "./mkdocs.js";
import type { Settings, Site } from "./site.js";
import { vitepressIn } from "./vitepress.js";

/** Settings that are read, in bytes. */
const LARGEST = 1024 * 1024;

/** Looks for the documentation of another tool in an archive, nearest to its top; undefined when there is none. */
export async function siteIn(archive: Archive): Promise<Site | undefined> {
  const settings: Settings = {
    paths: archive.paths.filter((path) => !/(^|\/)node_modules\//.test(path)),
    text: async (path) => (await archive.read(path, LARGEST))?.toString("utf8").replace(/^\uFEFF/, ""),
  };
  for (const find of [docusaurusIn, vitepressIn, mkdocsIn, mintlifyIn]) {
    const site = await find(settings);
    if (site) return site;
  }
  return undefined;
}
