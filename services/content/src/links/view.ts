import type { User } from "@octavo/shared/fields";
import type { Organization } from "@octavo/shared/schemas/organization";
import type { Space } from "@octavo/shared/schemas/space";
import type { Collection } from "../collections/schema.js";
import { fileView, pageView, reusableView } from "../content/view.js";
import type { Entry, Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { Link } from "./queries.js";
import type { ContentLocation } from "./schema.js";

/** What locations are shown with: whose content it is, and everything that was looked up for one page of a list. */
export interface Surroundings {
  urls: Ctx["urls"];
  version: Version;
  organization: Organization;
  space: Space;
  versionContext: (ContentLocation & { kind: "page" })["versionContext"];
  download: (entry: Entry) => string;
  /** Entries of the version by their ids, each with the pages above it. */
  lines: Map<string, Entry[]>;
  users: Map<string, User>;
  collections: Map<string, { organization: Organization; collection: Collection }>;
  spaces: Map<string, { organization: Organization; space: Space }>;
}

/** Where an entry lies. A page is shown without the pages below it: a list of locations would hold the space many times. */
export function locationOf(around: Surroundings, id: string, anchor: string | null = null) {
  const { urls, version, organization, space, versionContext, lines, download } = around;
  const line = lines.get(id);
  if (!line) return undefined;
  const [entry] = line as [Entry];
  const within = { organization, space, versionContext };
  if (entry.kind === "file")
    return { kind: "file" as const, ...within, file: fileView(entry, true, download) };
  if (entry.kind !== "page") {
    return { kind: "reusable-content" as const, ...within, reusableContent: reusableView(entry, true) };
  }
  const page = pageView(line, [], { urls, version, metadata: true }, {});
  const internalLocation = anchor === null ? undefined : { type: "anchor" as const, anchor };
  return { kind: "page" as const, ...within, page, internalLocation };
}

/** A link: what it leads to, and the page that it stands on. What leads nowhere shows the address as it is written. */
export function linkView(around: Surroundings, link: Link) {
  const location = locationOf(around, link.source);
  return {
    status: link.status,
    relation: location?.kind === "page" && location.page.type === "computed" ? DEPENDS : REFERS,
    targetReference: targetOf(around, link),
    locationReferences: location ? [location] : [],
  };
}
const DEPENDS = "dependsOn" as const;
const REFERS = "reference" as const;

function targetOf(around: Surroundings, link: Link): ContentLocation | undefined {
  const { kind, url, target, target_space, leads, anchor } = link;
  if (leads !== null) return locationOf(around, leads, anchor);
  if (kind === "url" || link.status === "broken") return { kind: "url", url };
  const space = around.spaces.get(target_space ?? (kind === "space" ? (target ?? "") : ""));
  if (space) return { kind: "space", ...space };
  const user = kind === "user" ? around.users.get(target!) : undefined;
  if (user) return { kind: "user", user };
  const collection = kind === "collection" ? around.collections.get(target!) : undefined;
  return collection && { kind: "collection", ...collection };
}
