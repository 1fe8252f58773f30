import type { MarkdownIt, StateBlock, Token } from "markdown-it";
import { asidesBetween } from "./aside-lines.js";
import { closingLine, isCode, linesOf, lineText, pushBlocks, pushInline, pushLines } from "./block-lines.js";
import type { Budget } from "./bounds.js";
import { referencesWithin } from "./definitions.js";
import { readTag, type Tag } from "./tags.js";

/** Blocks inside blocks: what lies deeper is kept as it is written. */
const DEEPEST = 60;
const INTERRUPTING = ["paragraph", "reference", "blockquote", "list"];
/** Tags whose lines hold blocks. */
const CONTAINERS = new Set(["hint", "tab", "step", "column", "update", "if"]);
/** Tags that hold only certain containers. */
const GROUPS: Record<string, string> = {
  tabs: "tab",
  stepper: "step",
  columns: "column",
  updates: "update",
};
/** Tags with a body of their own kind, kept beside what it reads as. */
const LEAVES = new Set([
  "code",
  "prompt",
  "embed",
  "file",
  "content-ref",
  "openapi",
  "swagger",
  "openapi-operation",
  "openapi-schemas",
  "openapi-webhook",
]);
/** Leaves that hold a fence, for which one line is too few. */
const AROUND_CODE = new Set(["code", "prompt"]);
const VOID = new Set(["include", "embed", "file", "content-ref"]);

/** Teaches the parser tags, math, footnotes and a bound for the depth. */
export function addBlockRules(md: MarkdownIt): void {
  const { ruler } = md.block;
  ruler.before("table", "deep", tooDeep, { alt: ["list", "blockquote"] });
  ruler.before("fence", "tag", tag, { alt: INTERRUPTING });
  ruler.before("fence", "math", math, { alt: INTERRUPTING });
  ruler.before("reference", "footnote", footnote, { alt: INTERRUPTING });
}

function tooDeep(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const full = state.tokens.length >= (state.env.budget as Budget).tokens;
  if (silent) return full;
  if (!full && state.level < DEEPEST) return false;
  let line = start + 1;
  while (line < end && (state.isEmpty(line) || state.sCount[line]! >= state.blkIndent)) line += 1;
  pushLines(state, "verbatim", start, line);
  return true;
}

function tag(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (isCode(state, start) || !state.src.startsWith("{%", state.bMarks[start]! + state.tShift[start]!)) {
    return false;
  }
  const text = lineText(state, start);
  const read = readTag(text);
  if (!read) return false;
  const rest = text.slice(read.end).trim();
  const close = closingLine(state, start, end);
  if (rest !== "" && (close !== start || !closesIn(rest, read.name))) return false;
  if (silent) return true;
  if (close === undefined || close === start) single(state, start, read, rest);
  else pushTag(state, start, close, read);
  return true;
}

const closesIn = (rest: string, name: string): boolean =>
  endOf(rest, name) > 0 || rest === `{% end${name} %}`;
const endOf = (rest: string, name: string): number =>
  rest.endsWith(`{% end${name} %}`) ? rest.length - name.length - 10 : -1;

/** A tag on one line, with or without its end. */
function single(state: StateBlock, start: number, read: Tag, rest: string): void {
  const closed = rest !== "";
  const body = closed ? rest.slice(0, Math.max(0, endOf(rest, read.name))).trim() : "";
  if (LEAVES.has(read.name) && !AROUND_CODE.has(read.name) && (closed || VOID.has(read.name))) {
    leafTag(state, start, start + 1, read, body, () => {
      if (body === "") return;
      state.push("paragraph_open", "p", 1);
      pushInline(state, body);
      state.push("paragraph_close", "p", -1);
    });
  } else if (CONTAINERS.has(read.name) && closed) {
    open(state, "tag_open", read);
    if (body !== "") {
      state.push("paragraph_open", "p", 1);
      pushInline(state, body);
      state.push("paragraph_close", "p", -1);
    }
    state.push("tag_close", "", -1);
    state.line = start + 1;
  } else if (!closed && (read.name.startsWith("@") || VOID.has(read.name))) {
    pushLines(state, "tag", start, start + 1).meta = { tag: read };
  } else pushLines(state, "verbatim", start, start + 1).meta = { unmatched: true };
}

/** A tag that begins in line `start` and ends in line `close`, each alone; without the tags that belong in it, or of another name, kept as it is. */
export function pushTag(state: StateBlock, start: number, close: number, read: Tag): void {
  const member = GROUPS[read.name];
  state.env.leaves ??= [];
  const leaves = state.env.leaves as string[];
  if (LEAVES.has(read.name) && fitsIn(leaves, read.name)) {
    leafTag(state, start, close + 1, read, linesOf(state, start + 1, close), () => {
      leaves.push(read.name);
      pushBlocks(state, start + 1, close);
      leaves.pop();
    });
    return;
  }
  const asides = member === undefined ? undefined : asidesBetween(state, start + 1, close, member);
  if (CONTAINERS.has(read.name) || asides) {
    const { env } = state;
    const around = env.references;
    if (read.name === "if") env.references = referencesWithin(around ?? {});
    open(state, "tag_open", read).meta!.references = env.references;
    let from = start + 1;
    for (const [first, end] of asides ?? []) {
      pushBlocks(state, from, first);
      pushLines(state, "verbatim", first, end);
      from = end;
    }
    pushBlocks(state, from, close);
    env.references = around;
    state.push("tag_close", "", -1);
    state.line = close + 1;
  } else pushLines(state, "verbatim", start, close + 1);
}

/** No leaf is read with another one in it, but code with options in two of them; each level would copy all that is in it. */
const fitsIn = (leaves: string[], name: string): boolean =>
  leaves.length === 0 ||
  (leaves.length === 1 && (leaves[0] === "code" || leaves[0] === "prompt") && name === "code");

function leafTag(
  state: StateBlock,
  start: number,
  end: number,
  read: Tag,
  body: string,
  inner: () => void,
): void {
  const token = open(state, "leaf_open", read);
  token.content = linesOf(state, start, end);
  token.meta!.body = body;
  inner();
  state.push("leaf_close", "", -1);
  state.line = end;
}

function open(state: StateBlock, type: string, read: Tag): Token {
  const token = state.push(type, "", 1);
  token.map = [state.line, state.line + 1];
  token.meta = { tag: read };
  return token;
}

function math(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (isCode(state, start) || lineText(state, start).trimEnd() !== "$$") return false;
  let line = start + 1;
  while (line < end && lineText(state, line).trim() !== "$$") {
    if (state.sCount[line]! < state.blkIndent && !state.isEmpty(line)) return false;
    line += 1;
  }
  if (line >= end || state.sCount[line]! < state.blkIndent) return false;
  if (silent) return true;
  const token = pushLines(state, "math", start + 1, line);
  if (line === start + 1) token.content = "";
  token.map = [start, line + 1];
  state.line = line + 1;
  return true;
}

const FOOTNOTE = /^\[\^([^\]\s]{1,100})\]:[ \t]*/;

function footnote(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (isCode(state, start)) return false;
  const match = FOOTNOTE.exec(lineText(state, start));
  if (!match || (state.env.inFootnote && !silent)) return false;
  if (silent) return true;
  const label = match[1]!;
  const token = state.push("footnote_open", "", 1);
  token.map = [start, start + 1];
  state.env.footnotes ??= new Set<string>();
  const labels = state.env.footnotes as Set<string>;
  token.meta = { label, known: labels.has(label) };
  labels.add(label);
  const { blkIndent, parentType } = state;
  const [mark, shift, count] = [state.bMarks[start]!, state.tShift[start]!, state.sCount[start]!];
  state.env.inFootnote = true;
  state.bMarks[start] = mark + shift + match[0].length;
  state.tShift[start] = 0;
  state.sCount[start] = blkIndent + 4;
  state.blkIndent += 4;
  state.parentType = "footnote";
  state.md.block.tokenize(state, start, end);
  Object.assign(state, { blkIndent, parentType });
  state.bMarks[start] = mark;
  state.tShift[start] = shift;
  state.sCount[start] = count;
  state.env.inFootnote = false;
  if (state.line <= start) state.line = start + 1;
  token.content = linesOf(state, start, state.line).trimEnd();
  state.push("footnote_close", "", -1);
  return true;
}
