import type { Ref } from "@octavo/markdown/document/refs";
import type { Order } from "@octavo/pdf/press";
import { found } from "@octavo/shared/errors";
import { hasComment } from "../../documents/comments-cut.js";
import type { Reading } from "../../documents/reading.js";
import type { Targets } from "../../documents/targets.js";
import { variablesOf } from "../../pages/published.js";
import type { Part } from "../../press/parts.js";
import { targetsOfAll } from "../../references/resolve-addresses.js";
import { batchesBySize } from "../../store/batches.js";
import { bodiesOf, sizesOf, textIn } from "../../store/bodies.js";
import { entriesOfKind } from "../../store/entries.js";
import { type Entry, type FileEntry, type Version, versionOfRevision } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Edition } from "./address.js";
import { type Chosen, chosen, MOST_BYTES, shownToAll } from "./choose.js";
import * as queries from "./queries.js";

/** Images that a PDF shows, bytes of each and of all, and pixels of each. Others are represented by their text. */
const MOST_IMAGES = 500;
const LARGEST_IMAGE = 10 * 1024 * 1024;
const MOST_IMAGE_BYTES = 100 * 1024 * 1024;
const MOST_PIXELS = 40_000_000;

/** The ends of the names of images that the typesetter reads, by their types. */
const IMAGES: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};

/**
 * Gathers what the PDF of an edition is made of: as a visitor sees it who claims nothing, so that it is the same for
 * everybody who may read the space.
 */
export async function gather(ctx: Ctx, edition: Edition, about: queries.About): Promise<Order> {
  const { space } = edition;
  const version = await versionOfRevision(ctx, space, edition.revision);
  const all = await queries.pages(ctx, version);
  const variables = await variablesOf(ctx, version);
  const pages = shownToAll(found(chosen(all, edition), "Page"), variables);
  const files = new Map(
    (await entriesOfKind(ctx, version, "file")).map((entry, index) => [imageName(entry, index), entry]),
  );
  const held = new Set(pages.map(({ entry }) => entry.id));

  async function* parts(): AsyncGenerator<Part> {
    yield headOf(edition, about, pages);
    for (const [name, entry] of files) yield filePart(name, entry);
    for (const { id, title, props } of all) {
      if (held.has(id) || props.type === "link" || props.type === "computed") continue;
      yield { kind: "elsewhere", id, href: ctx.urls.app`/s/${space}/${id}`, title };
    }
    for await (const part of reusables(ctx, version, variables)) yield part;
    for await (const part of pageParts(ctx, version, pages, variables)) yield part;
  }

  let [count, bytes] = [0, 0];
  return {
    parts: parts(),
    image: async (name) => {
      const file = files.get(name);
      if (!file || count >= MOST_IMAGES || bytes + file.props.size > MOST_IMAGE_BYTES) return undefined;
      count += 1;
      bytes += file.props.size;
      return ctx.storage.open(file.body);
    },
  };
}

function headOf(edition: Edition, about: queries.About, pages: Chosen[]): Part {
  const { title, emoji, language, number, subject, created_at } = about;
  const subtitle = number === null ? undefined : `Change request #${number}${subject ? `: ${subject}` : ""}`;
  const day = new Date(created_at).toISOString().slice(0, 10);
  return {
    kind: "head",
    title: edition.page === undefined ? title : (pages[0]?.entry.title ?? title),
    ...(subtitle && { subtitle }),
    ...(emoji && { emoji }),
    edition: edition.page === undefined ? [day] : [title, day],
    language: language ?? "en",
    isExcerpt: edition.only,
  };
}

const imageName = ({ props, id }: FileEntry, index: number): string => {
  const end = Object.hasOwn(IMAGES, props.contentType) ? IMAGES[props.contentType] : undefined;
  const { width = 0, height = 0 } = props.dimensions ?? {};
  const isShown = end && props.size > 0 && props.size <= LARGEST_IMAGE && width * height <= MOST_PIXELS;
  return isShown ? `image-${index}.${end}` : id;
};

function filePart(name: string, { id, title, props }: FileEntry): Part {
  const { size, dimensions } = props;
  const href = name === id ? "" : name;
  return { kind: "file", id, target: { href, name: title, size, ...dimensions } };
}

type Variables = Awaited<ReturnType<typeof variablesOf>>;

/** How a text is read for everybody: its conditions for who claims nothing, and without comments. */
function readingOf(markdown: string, targets: Targets | undefined, space: Variables, vars = {}): Reading {
  const inputs = { space, page: { vars }, visitor: { claims: {} } };
  return {
    markdown,
    ...(targets && { targets }),
    evaluation: { inputs, deterministicOnly: false },
    uncommented: hasComment(markdown),
  };
}

/** The texts of entries, a few at a time. */
async function* textsOf<Of extends Pick<Entry, "id" | "body">>(ctx: Ctx, version: Version, entries: Of[]) {
  const { space } = version;
  const sizes = (some: Of[]) =>
    sizesOf(
      ctx,
      space,
      some.map(({ body }) => body),
    );
  for await (const batch of batchesBySize(entries, sizes)) {
    const hashes = batch.flatMap(({ body }) => body ?? []);
    const texts = await bodiesOf(ctx, space, hashes);
    const targets = await targetsOfAll(
      ctx,
      version,
      batch.map(({ id }) => id),
    );
    for (const entry of batch) {
      const markdown = entry.body === null ? "" : textIn(texts, entry.body);
      yield { entry, markdown, targets: targets.get(entry.id) };
    }
  }
}

/** What pages include, up to as much text as pages may have. */
async function* reusables(ctx: Ctx, version: Version, variables: Variables): AsyncGenerator<Part> {
  let left = MOST_BYTES;
  const entries = await entriesOfKind(ctx, version, "reusable");
  for await (const { entry, markdown, targets } of textsOf(ctx, version, entries)) {
    left -= Buffer.byteLength(markdown);
    if (left < 0) return;
    yield { kind: "reusable", id: entry.id, reading: readingOf(markdown, targets, variables) };
  }
}

async function* pageParts(
  ctx: Ctx,
  version: Version,
  pages: Chosen[],
  variables: Variables,
): AsyncGenerator<Part> {
  const flat = pages.map(({ entry, depth }) => ({ id: entry.id, body: entry.body, entry, depth }));
  for await (const { entry: one, markdown, targets } of textsOf(ctx, version, flat)) {
    const { props, id, title } = one.entry;
    const { description, emoji, icon, cover } = props;
    const common = { kind: "page" as const, id, title, description, emoji, icon, depth: one.depth };
    if (props.type === "link") yield { ...common, target: props.target };
    else if (props.type === "document") {
      const reading = readingOf(markdown, targets, variables, props.variables);
      yield { ...common, cover: cover?.ref as Ref | undefined, reading };
    } else yield common;
  }
}
