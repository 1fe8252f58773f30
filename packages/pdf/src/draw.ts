import { highlight } from "@octavo/html/code/highlight";
import { mathTree } from "@octavo/html/code/math";
import { createTimeBudget } from "@octavo/html/code/time-budget";
import { emojiOf } from "@octavo/html/emoji";
import { outlineOfIcon } from "@octavo/html/icons";
import { createInclusions } from "@octavo/html/inclusions";
import { english } from "@octavo/html/words";
import { type Block, blocksOf, type InlineNode, inlinesOf, plainText } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { drawBlock } from "./blocks/index.js";
import type { Book, Chapter, Sheet } from "./book.js";
import { type Content, element } from "./element.js";
import { type Font, MONO, SANS } from "./fonts.js";
import { drawInline, drawWords } from "./inlines/index.js";
import { leadsOf } from "./inlines/links.js";
import { type Labels, labelsOf } from "./labels.js";
import { outside } from "./leads.js";
import type { Led, Scope } from "./scope.js";
import { directionOf, words } from "./words.js";

/** What lies deeper is drawn as its words: the typesetter calls no functions deeper than eighty. */
const DEEPEST = 9;
/** Milliseconds that the colors and formulas of a page may take. */
const TIME = 800;
/** Levels of headings that PDF knows. */
const MOST_LEVELS = 6;

/** Draws a book as the data that the typesetter sets. It grows with the documents and what they include. */
export function drawBook(book: Book): Sheet {
  const labels = labelsOf(book.pages);
  const images = new Set<string>();
  let last = 0;
  /** A level below the last one by no more than one: readers of tags count on that. */
  const level = (wanted: number) => {
    last = Math.min(wanted, last + 1, MOST_LEVELS);
    return last;
  };
  const listsHeadings = book.pages.filter(({ document }) => document).length === 1;
  const dir = directionOf(book.title) ?? "ltr";
  let afterGroup = true;
  const chapters = book.pages.map((page, index): Chapter => {
    const own = level(page.depth + 1);
    const scope = createScope(book, index, { labels, images, level, own, listsHeadings, dir });
    const led = page.target && scope.link(page.target);
    const cover = scope.image(page.cover);
    const breaks = !afterGroup;
    const isGroup = page.document === undefined && page.target === undefined;
    afterGroup = isGroup;
    const title = words(page.title);
    const icon = outlineOfIcon(page.icon);
    const emoji = emojiOf(page.emoji);
    return {
      label: labels.ofPage(index),
      level: own,
      title,
      dir: directionOf(page.title) ?? dir,
      ...(page.description && { description: words(page.description) }),
      ...(emoji && { emoji }),
      ...(icon && { icon }),
      ...(cover && { cover: cover.file }),
      breaks: breaks && page.target === undefined,
      listed: !listsHeadings || book.pages.length > 1,
      isGroup,
      body: led ? element("card", { ...leadsOf(led), title }) : scope.blocks(page.document?.nodes),
    };
  });
  const [language, region] = tagOf(book.language);
  const { title, subtitle, edition, isExcerpt } = book;
  const emoji = emojiOf(book.emoji);
  return withoutLost(
    {
      title,
      ...(subtitle && { subtitle }),
      ...(emoji && { emoji }),
      edition,
      language,
      ...(region && { region }),
      dir,
      isExcerpt,
      words: { contents: CONTENTS[language] ?? CONTENTS.en! },
      fonts: { sans: names(SANS), mono: names([...MONO, ...SANS]) },
      chapters,
      images: [...images],
    },
    labels,
  );
}

const names = (fonts: Font[]) => [...new Set(fonts.map(({ family }) => family))];

/** What stands above the contents, in languages whose word we know. */
const CONTENTS: Record<string, string> = {
  en: "Contents",
  ar: "المحتويات",
  de: "Inhalt",
  es: "Contenido",
  fr: "Sommaire",
  he: "תוכן העניינים",
  it: "Indice",
  ja: "目次",
  ko: "목차",
  nl: "Inhoud",
  pl: "Spis treści",
  pt: "Conteúdo",
  ru: "Содержание",
  tr: "İçindekiler",
  uk: "Зміст",
  zh: "目录",
};

/** The language and the region of a tag, as the typesetter takes them. */
function tagOf(tag: string): [string, string | undefined] {
  const [, language = "en", region] = /^([a-z]{2,3})(?:-(?:[a-z]{4}-)?([a-z]{2}))?$/i.exec(tag) ?? [];
  return [language.toLowerCase(), region?.toUpperCase()];
}

/** Takes off links what nothing in the end was set under. */
function withoutLost(sheet: Sheet, labels: Labels): Sheet {
  const open: unknown[] = [sheet.chapters];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const holder = next as { at?: unknown };
    if (typeof holder.at === "string" && !labels.isSet(holder.at)) delete holder.at;
    for (const inner of Object.values(next)) if (typeof inner === "object") open.push(inner);
  }
  return sheet;
}

interface Around {
  labels: Labels;
  images: Set<string>;
  level: (wanted: number) => number;
  /** The level of the page's title. */
  own: number;
  listsHeadings: boolean;
  dir: "ltr" | "rtl";
}

function createScope(book: Book, index: number, around: Around): Scope {
  let [depth, linked, notesAllowed, dir] = [0, false, true, around.dir];
  const time = createTimeBudget(TIME);
  const including = createInclusions();
  const { labels, images } = around;
  const deeper = (nodes: readonly { object: string }[], draw: () => Content): Content => {
    if (depth >= DEEPEST) return drawWords(nodes as (Block | InlineNode)[]);
    depth += 1;
    const drawn = draw();
    depth -= 1;
    return drawn;
  };
  const block = (node: Block): Content => {
    const own = UNDIRECTED.has(node.type) ? undefined : directionOf(firstWords(node));
    if (own === undefined || own === dir) return drawBlock(node, scope);
    const before = dir;
    dir = own;
    const body = drawBlock(node, scope);
    dir = before;
    return body && element("turned", { dir: own, body });
  };
  function link(ref: Ref | undefined): Led | undefined {
    if (!ref) return undefined;
    const found = labels.of(ref, index);
    if (found) {
      const { title, description, emoji, icon } = found.page;
      return { at: found.label, title, description, emoji: emojiOf(emoji), icon };
    }
    if (ref.kind === "url") return outside(String(ref.url));
    const target = book.link(ref);
    if (!target) return undefined;
    const { href, ...labelling } = target;
    const leads = outside(href);
    return leads && { ...leads, ...labelling, emoji: emojiOf(labelling.emoji) };
  }
  const scope: Scope = {
    words: english,
    blocks: (nodes = []) => deeper(nodes, () => blocksOf({ nodes: nodes as Block[] }).map(block)),
    inlines: (nodes = []) =>
      deeper(nodes, () => inlinesOf({ nodes: nodes as InlineNode[] }).map((node) => drawInline(node, scope))),
    link,
    file: (ref) => (ref ? book.file(ref) : undefined),
    image(ref) {
      const found = ref && book.file(ref);
      if (!found || found.href === "") return undefined;
      images.add(found.href);
      return { file: found.href, width: found.width, height: found.height };
    },
    reusable: book.reusable,
    include: (of, nodes) => including.draw(of, nodes, () => scope.blocks(nodes)),
    label: (anchor) => (anchor === undefined ? undefined : labels.set(index, anchor)),
    level: (wanted) => around.level(around.own + wanted - 1),
    inLink(draw) {
      const before = [linked, notesAllowed] as const;
      [linked, notesAllowed] = [true, false];
      const drawn = draw();
      [linked, notesAllowed] = before;
      return drawn;
    },
    get linked() {
      return linked;
    },
    withoutNotes(draw) {
      const before = notesAllowed;
      notesAllowed = false;
      const drawn = draw();
      notesAllowed = before;
      return drawn;
    },
    get notesAllowed() {
      return notesAllowed;
    },
    listsHeadings: around.listsHeadings,
    highlight: (text, syntax) => highlight(text, syntax, time),
    formula: (text, display) => mathTree(text, display, time),
  };
  return scope;
}

/** Code is written from left to right in all languages. */
const UNDIRECTED = new Set(["code", "code-line", "math", "divider", "openapi-operation", "swagger"]);

/** The words that a block begins with, at any depth; empty when there are none in its first parts. */
function firstWords(block: Block): string {
  const open: (Block | InlineNode)[] = [block];
  for (let looked = 0; looked < 60; looked += 1) {
    const next = open.pop();
    if (!next) return "";
    if (next.object === "text") {
      const text = plainText([next]);
      if (directionOf(text) !== undefined) return text;
      continue;
    }
    const { nodes = [], fragments = [] } = next;
    open.push(...[...fragments.slice(0, 20)].reverse().flatMap((one) => one.nodes.slice(0, 5).reverse()));
    open.push(...nodes.slice(0, 20).reverse());
  }
  return "";
}
