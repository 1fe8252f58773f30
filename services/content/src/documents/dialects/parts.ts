import { type ElementTag, tagAt } from "./element-tags.js";

/** A text in the syntax of another tool: lines, code, and blocks that hold both. */
export type Part = Line | Fence | Block;
interface Line {
  kind: "line";
  text: string;
}
export interface Fence {
  kind: "fence";
  indent: string;
  mark: string;
  info: string;
  body: string[];
}
export interface Block {
  kind: "block";
  indent: string;
  /** In lower case. */
  name: string;
  attrs: ElementTag["attrs"];
  parts: Part[];
}

/** What of a text is read. */
export interface Syntax {
  /** Whether `<Name>` is a component: one of `elements` is a block, others are taken away from around what is in them. */
  components: boolean;
  elements: Set<string>;
  /** How many colons `:::tip` has at least, which goes until as many of them; none where there is no such block. */
  containers: number | undefined;
  /** `import` and `export`, and comments in braces. */
  modules: boolean;
}

/** Blocks in blocks; what nests deeper is text. */
const DEEPEST = 32;
/** Lines that one tag may be written on, and characters. */
const TAG_LINES = 40;
const TAG_LENGTH = 4_000;

const FENCE = /^([ \t]*)(`{3,}|~{3,})([^\n]*)$/;
const CONTAINER = /^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)[ \t]*(?:\[(.*)\]|(\S.*))?[ \t]*$/;
const CONTAINER_END = /^[ \t]*(:{3,})[ \t]*$/;
const MODULE =
  /^(?:import\s+(?:[\w$*{][^;]*\sfrom\s+)?['"]|export\s+(?:const|let|var|function|default|async|class)\b|export\s*[{*])/;

interface Open {
  /** What ends it: the name of an element, or as many colons. */
  end: string;
  parts: Part[];
}

/** Reads the lines of a text. Linear but for tags over several lines, which are bounded; never throws. */
export function readParts(lines: string[], syntax: Syntax): Part[] {
  const top: Part[] = [];
  const open: Open[] = [];
  const into = () => open.at(-1)?.parts ?? top;
  const close = (end: string): boolean => {
    const at = open.findLastIndex((one) => one.end === end);
    if (at >= 0) open.length = at;
    return at >= 0;
  };
  const begin = (block: Omit<Block, "kind" | "parts">, end: string | undefined) => {
    const made: Block = { kind: "block", ...block, parts: [] };
    into().push(made);
    if (end !== undefined) open.push({ end, parts: made.parts });
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    if (fence && !(fence[2]![0] === "`" && fence[3]!.includes("`"))) {
      const end = endOfFence(lines, at, fence[2]!);
      const body = lines.slice(at + 1, end);
      into().push({ kind: "fence", indent: fence[1]!, mark: fence[2]!, info: fence[3]!.trim(), body });
      at = end;
      continue;
    }
    if (syntax.modules && open.length === 0 && MODULE.test(line)) {
      while (at + 1 < lines.length && lines[at + 1]!.trim() !== "") at += 1;
      continue;
    }
    if (syntax.containers !== undefined) {
      const end = CONTAINER_END.exec(line)?.[1];
      if (end !== undefined && close(end)) continue;
      const container = open.length < DEEPEST ? CONTAINER.exec(line) : null;
      if (container && container[2]!.length >= syntax.containers) {
        const [, indent = "", mark = "", name = "", bracketed, words] = container;
        const title = (bracketed ?? words)?.replace(/\{[^{}]*\}\s*$/, "").trim();
        begin({ indent, name: name.toLowerCase(), attrs: title ? { title } : {} }, mark);
        continue;
      }
    }
    at = readElements(lines, at, syntax, {
      text: (text) => into().push({ kind: "line", text }),
      begin: (tag, indent) => {
        const name = tag.name.toLowerCase();
        const holds = !tag.selfClosing && open.length < DEEPEST;
        begin({ indent, name, attrs: tag.attrs }, holds ? `</${tag.name}>` : undefined);
      },
      end: (name) => void close(`</${name}>`),
    });
  }
  return top;
}

function endOfFence(lines: string[], from: number, mark: string): number {
  for (let at = from + 1; at < lines.length; at += 1) {
    const text = lines[at]!.trim();
    if (text.length >= mark.length && text === mark[0]!.repeat(text.length)) return at;
  }
  return lines.length;
}

interface Found {
  text(text: string): void;
  begin(tag: ElementTag, indent: string): void;
  end(name: string): void;
}

/** Reads a line with the tags of components in it; the line that it ended on, as a tag may go over several. */
function readElements(lines: string[], at: number, syntax: Syntax, found: Found): number {
  if (!syntax.components) {
    found.text(lines[at]!);
    return at;
  }
  const reading: Reading = { lines, at, last: at, line: lines[at]!, isWide: false };
  const indent = /^[ \t]*/.exec(reading.line)![0];
  let [words, from, isCut, isTaken] = ["", 0, false, false];
  const give = () => {
    if (!isCut) found.text(words);
    else if (words.trim() !== "") found.text(indent + words.trim());
    words = "";
  };
  const marks = /`+|<\/?[A-Z]|\{\/\*/g;
  for (let mark = marks.exec(reading.line); mark; mark = marks.exec(reading.line)) {
    const start = mark.index;
    if (mark[0][0] === "`") {
      const end = reading.line.indexOf(mark[0], start + mark[0].length);
      if (end >= 0) marks.lastIndex = end + mark[0].length;
      continue;
    }
    const isComment = mark[0][0] === "{";
    if (isComment && !syntax.modules) continue;
    const element = isComment ? undefined : elementAt(reading, start);
    const end = element?.end ?? (isComment ? commentAt(reading, start)?.end : undefined);
    if (end === undefined) continue;
    words += reading.line.slice(from, start);
    from = marks.lastIndex = end;
    if (element && syntax.elements.has(element.name)) {
      isCut = true;
      give();
      if (element.closing) found.end(element.name);
      else found.begin(element, indent);
    } else {
      if (element) words += inWords(element);
      isTaken = true;
    }
  }
  words += reading.line.slice(from);
  // A line of nothing but what was taken away goes with it.
  isCut ||= isTaken && words.trim() === "";
  give();
  return reading.last;
}

interface Reading {
  lines: string[];
  at: number;
  /** The line that is read, with those after it that belong to a tag in it. */
  line: string;
  last: number;
  /** Whether lines after it were looked at, which is done once. */
  isWide: boolean;
}

/** No more of a text than a tag may have is looked through for its end. */
const within = (text: string, start: number) => text.slice(start, start + TAG_LENGTH);

const elementAt = (reading: Reading, start: number) =>
  over(reading, (text) => {
    const tag = tagAt(within(text, start), 0);
    return tag && { ...tag, end: start + tag.end };
  });
const commentAt = (reading: Reading, start: number) =>
  over(reading, (text) => {
    const end = within(text, start).indexOf("*/}");
    return end < 0 ? undefined : { end: start + end + 3 };
  });

/** What is found in a line, else in it and those after it. */
function over<Found extends { end: number }>(
  reading: Reading,
  find: (text: string) => Found | undefined,
): Found | undefined {
  const found = find(reading.line);
  if (found || reading.isWide) return found;
  reading.isWide = true;
  const { lines, at, line } = reading;
  const more = lines
    .slice(at + 1, at + TAG_LINES)
    .join("\n")
    .slice(0, TAG_LENGTH);
  const whole = `${line}\n${more}`;
  const wide = find(whole);
  if (!wide) return undefined;
  reading.last = at + whole.slice(0, wide.end).split("\n").length - 1;
  reading.line = lines.slice(at, reading.last + 1).join("\n");
  return wide;
}

/** What is left of a component that is no block. */
const inWords = ({ name, attrs }: ElementTag): string =>
  name === "Badge" && typeof attrs.text === "string" ? `(${attrs.text})` : "";
