import { createHash } from "node:crypto";
import { slugify, uniqueSlug } from "@octavo/markdown/source/slug";
import { composeSource } from "@octavo/markdown/source/source";
import type { MadeEntry } from "../pages/made.js";
import type { PageEntry } from "../store/version.js";
import type { ComputedSource } from "./source.js";

/** A page as a source makes it. */
export interface Made {
  /** Identifies it among the pages of its source, in each version of it. */
  key: string;
  title: string;
  /** What its slug is made of; the title by default. */
  slug?: string;
  type?: "document" | "group";
  description?: string;
  emoji?: string;
  icon?: string;
  markdown: string;
  /** What makes its text. */
  computed: ComputedSource;
  pages: Made[];
}

/** Where made pages go: in place of a page that declares a source, or of none. */
export interface Put {
  /** What ids are derived from: the same page keeps its id in every version. */
  seed: string;
  declared?: PageEntry;
  /** Slugs of pages beside it. */
  taken: string[];
}

/** Most pages that one source makes. */
export const MOST_MADE = 2_000;

/** Made pages as entries of a version, each before those below it. */
export function entriesOf(pages: Made[], { seed, declared, taken }: Put): MadeEntry[] {
  const entries: MadeEntry[] = [];
  const now = declared?.created_at ?? new Date(0).toISOString();
  const { hidden, noIndex, noRobotsIndex, condition } = declared?.props ?? {};
  const common = { hidden, noIndex, noRobotsIndex, condition };
  const put = (made: Made[], parent: string | null, beside: string[]) => {
    const slugOf = slugsBeside(beside);
    for (const page of made) {
      if (entries.length === MOST_MADE) return;
      const { type = "document", title, description, emoji, icon, computed } = page;
      const id = idOf(seed, page.key);
      entries.push({
        id,
        kind: "page",
        parent,
        position: declared?.position ?? "",
        title,
        body: null,
        slug: slugOf(page.slug ?? title, "page"),
        git_path: null,
        git_oid: null,
        created_at: now,
        updated_at: null,
        props: { type, description, emoji, icon, ...common },
        made: { computed: { ...computed }, seed, markdown: textOf(page) },
      });
      put(page.pages, id, []);
    }
  };
  put(pages, declared?.parent ?? null, taken);
  return entries;
}

/** The text of a page below its title, as pages keep theirs. */
export const textOf = ({ title, markdown }: Pick<Made, "title" | "markdown">): string =>
  [composeSource({ title }, "").trimEnd(), markdown].join("\n\n");

/** Gives out slugs that differ from each other and from those that are taken. */
export function slugsBeside(beside: string[] = []) {
  const taken = new Set(beside);
  return (name: string, fallback: string): string => {
    const slug = uniqueSlug(slugify(name, fallback), taken);
    taken.add(slug);
    return slug;
  };
}

/** An id of 20 letters and digits that the same seed and key always give. */
export const idOf = (seed: string, key: string): string =>
  createHash("sha256")
    .update(JSON.stringify([seed, key]))
    .digest("base64url")
    .replaceAll(/[-_]/g, "")
    .slice(0, 20);
