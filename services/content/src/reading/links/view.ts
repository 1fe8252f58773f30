import type { User } from "@octavo/shared/contracts/fields";
import type { Organization } from "@octavo/shared/contracts/schemas/organization";
import type { Space } from "@octavo/shared/contracts/schemas/space";
import type { Collection } from "../../library/collections/schema.js";
import { addressInRepository, type RepositoryTree } from "../../pages/repository-links.js";
import { fileView, pageView, reusableView } from "../../pages/view.js";
import type { Located } from "../../references/addressed.js";
import type { Entry, FileEntry, Version } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Link } from "./queries.js";
import type { ContentLocation } from "./schema.js";

/** A space or a collection with the organization that it belongs to. */
export type Owned<Kind extends "space" | "collection"> = { organization: Organization } & Pick<
  { space: Space; collection: Collection },
  Kind
>;

/** The version of a space that locations lie in. */
export interface Within extends Owned<"space"> {
  version: Version;
  versionContext: (ContentLocation & { kind: "page" })["versionContext"];
  download: (entry: FileEntry) => string;
  /** Entries of the version by their ids, each with the pages above it. */
  lines: Map<string, Entry[]>;
}

/** What locations are shown with: everything that was looked up for one page of a list. */
export interface Surroundings {
  urls: Ctx["urls"];
  /** By the ids of the spaces. */
  within: Map<string, Within>;
  users: Map<string, User>;
  collections: Map<string, Owned<"collection">>;
  spaces: Map<string, Owned<"space">>;
}

/** Where an entry lies. A page is shown without the pages below it: a list of locations would hold the space many times. */
export function locationOf(
  { urls, within: places }: Surroundings,
  at: Located,
  anchor: string | null = null,
) {
  const place = places.get(at.space);
  const line = place?.lines.get(at.id);
  if (!place || !line) return undefined;
  const { organization, space, version, versionContext, download } = place;
  const [entry] = line as [Entry];
  const within = { organization, space, versionContext };
  if (entry.kind === "file")
    return { kind: "file" as const, ...within, file: fileView(entry, true, download) };
  if (entry.kind !== "page") {
    return { kind: "reusable-content" as const, ...within, reusableContent: reusableView(entry, true) };
  }
  const pages = line.filter((above) => above.kind === "page");
  const page = pageView(pages, { urls, space: version.space, metadata: true });
  const internalLocation = anchor === null ? undefined : { type: "anchor" as const, anchor };
  return { kind: "page" as const, ...within, page, internalLocation };
}

/** What links are shown with besides. */
interface LinkSurroundings extends Surroundings {
  tree?: RepositoryTree;
}

/** A link: what it leads to, and the page of `space` that it stands on. What leads nowhere shows the address as it is written. */
export function linkView(around: LinkSurroundings, space: string, link: Link) {
  const location = locationOf(around, { space, id: link.source });
  return {
    status: link.status,
    relation: location?.kind === "page" && location.page.type === "computed" ? DEPENDS : REFERS,
    targetReference: targetOf(around, space, link),
    locationReferences: location ? [location] : [],
  };
}
const DEPENDS = "dependsOn" as const;
const REFERS = "reference" as const;

function targetOf(around: LinkSurroundings, own: string, link: Link): ContentLocation | undefined {
  const { kind, url, target, target_space, source_path, leads, anchor } = link;
  if (leads !== null)
    return locationOf(around, { space: link.elsewhere ? target_space! : own, id: leads }, anchor);
  if (kind === "url" || link.status !== "ok") return { kind: "url", url };
  if (kind === "path" && around.tree && source_path !== null && target_space === null) {
    const hosted = addressInRepository(around.tree, { sourcePath: source_path, url });
    return { kind: "url", url: hosted ?? url };
  }
  const space = around.spaces.get(target_space ?? "");
  if (space) return { kind: "space", ...space };
  const user = kind === "user" ? around.users.get(target!) : undefined;
  if (user) return { kind: "user", user };
  const collection = kind === "collection" ? around.collections.get(target!) : undefined;
  return collection && { kind: "collection", ...collection };
}
