import type { Token } from "markdown-it";
import type { Tag } from "../parser/tags.js";

const NOTE = /data-footnote-ref[^<>]{0,300} href="#user-content-fn-([^\s"]{1,100})"/g;

export interface Note {
  body: Token[];
  /** As it is written. */
  source: string;
  /** The condition that it stands in: outside of that one nobody may know it. */
  condition?: Tag;
}

/** Takes the bodies of footnotes that are used out of the tokens; the others stay as their source. */
export function collectNotes(all: Token[]) {
  const { used, refs, conditions } = findNotes(all);
  const notes = new Map<string, Note>();
  const tokens: Token[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const token = all[at]!;
    if (token.type !== "footnote_open") {
      tokens.push(token);
      continue;
    }
    let end = at + 1;
    for (let depth = 1; depth > 0; end += 1) {
      depth += all[end]!.type === "footnote_open" ? 1 : all[end]!.type === "footnote_close" ? -1 : 0;
    }
    const label = String(token.meta!.label);
    const condition = conditions.get(token);
    const known = refs.get(label);
    if (known && (!condition || known.has(condition)) && !token.meta!.known)
      notes.set(label, {
        body: all.slice(at + 1, end - 1),
        source: token.content,
        ...(condition && { condition }),
      });
    else tokens.push(Object.assign(token, { type: "verbatim", nesting: 0 }));
    at = end - 1;
  }
  return { tokens, notes, used };
}

/** The labels that links use, the conditions around the uses of each note, and the innermost one around each note. */
function findNotes(all: Token[]) {
  const used = new Set<string>();
  const refs = new Map<string, Set<Tag>>();
  const conditions = new Map<Token, Tag | undefined>();
  const open: Tag[] = [];
  let within = 0;
  const use = (label: string) => {
    const known = refs.get(label) ?? new Set();
    refs.set(label, known);
    for (const tag of open) if (tag.name === "if") known.add(tag);
  };
  for (const token of all) {
    const { type, children, content, meta } = token;
    if (type === "tag_open") open.push(meta!.tag as Tag);
    if (type === "tag_close") open.pop();
    if (type === "footnote_open")
      conditions.set(
        token,
        open.findLast(({ name }) => name === "if"),
      );
    if (type === "footnote_open") within += 1;
    if (type === "footnote_close") within -= 1;
    if (type === "html_form" && within === 0) for (const [, label] of content.matchAll(NOTE)) use(label!);
    for (const child of children ?? []) {
      if (child.meta?.label !== undefined) used.add(String(child.meta.label));
      if (child.type === "footnote_ref" && within === 0) use(child.content);
    }
  }
  return { used, refs, conditions };
}
