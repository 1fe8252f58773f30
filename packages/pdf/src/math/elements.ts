import type { MathNode } from "@octavo/html/code/math";
import type { MathCell, MathContent, MathElement } from "../element.js";

/** What nests deeper is drawn as no formula. */
const DEEPEST = 16;

/** The parts of a formula by the tree of its MathML; undefined when it holds what is not set, or nests too deep. */
export function mathOf(tree: MathNode): MathContent | undefined {
  try {
    return draw(tree, 0);
  } catch (error) {
    if (error instanceof NotSet) return undefined;
    throw error;
  }
}

/** A formula that the typesetter is not given. */
class NotSet extends Error {}

type Draw = (node: MathNode, all: (node: MathNode | undefined) => MathContent) => MathContent;

function draw(node: MathNode, depth: number): MathContent {
  if (depth > DEEPEST) throw new NotSet();
  // A fragment has children and no name, a text has neither.
  if (node.type === undefined && !node.children) return signs(node.text ?? "");
  if (node.type === undefined) return (node.children ?? []).map((child) => draw(child, depth + 1));
  const kind = Object.hasOwn(KINDS, node.type) ? KINDS[node.type] : undefined;
  if (!kind) throw new NotSet();
  return kind(node, (inner) => (inner ? draw(inner, depth + 1) : []));
}

const textOf = (node: MathNode): string =>
  node.text ?? (node.children ?? []).map((child) => textOf(child)).join("");

/** Signs that are seen by nobody. */
const INVISIBLE = /[\u2061-\u2064\u200b\u00ad]/g;
const signs = (text: string): MathContent => {
  const seen = text.normalize("NFC").replace(INVISIBLE, "").trim();
  return seen === "" ? [] : { m: "signs", text: seen };
};

/** Children one after the other, those between fences together with them. */
const row: Draw = ({ children = [] }, all) => {
  const body = children.map((child) => all(child));
  return isFence(children[0]) && isFence(children.at(-1)) ? { m: "fenced", body } : body;
};

const isFence = (node: MathNode | undefined): boolean =>
  node?.type === "mo" && String(node.attributes?.fence) === "true";

/** Operators that have what belongs to them above and below. */
const LIMITS = new Set([
  "lim",
  "max",
  "min",
  "sup",
  "inf",
  "lim sup",
  "lim inf",
  "det",
  "gcd",
  "Pr",
  "arg max",
  "arg min",
]);

const ACCENTS: Record<string, string> = {
  "^": "\u0302",
  ˆ: "\u0302",
  "~": "\u0303",
  "˜": "\u0303",
  "¯": "\u0304",
  ˉ: "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  ˇ: "\u030c",
  "→": "\u20d7",
  "´": "\u0301",
  "`": "\u0300",
};
const LINES = new Set(["‾", "―", "_", "¯", "\u0305", "\u0332"]);

const scripts =
  (limits: boolean, top?: number, bottom?: number): Draw =>
  ({ children = [] }, all) => ({
    m: "scripts",
    base: all(children[0]),
    ...(top !== undefined && { top: all(children[top]) }),
    ...(bottom !== undefined && { bottom: all(children[bottom]) }),
    limits,
  });

const accented =
  (over: boolean): Draw =>
  (node, all) => {
    const { children = [], attributes = {} } = node;
    const sign = textOf(children[1] ?? {});
    const isLine = LINES.has(sign) && String(children[1]?.attributes?.stretchy ?? "true") === "true";
    if (isLine) return { m: "line", base: all(children[0]), over };
    const isAccent =
      String(attributes.accent) === "true" || String(children[1]?.attributes?.stretchy) === "false";
    const accent = over && isAccent ? ACCENTS[sign] : undefined;
    if (accent !== undefined) return { m: "accent", base: all(children[0]), sign: accent };
    return scripts(true, over ? 1 : undefined, over ? undefined : 1)(node, all);
  };

const sideOf = ({ classes = [] }: MathNode) =>
  classes.includes("tml-left") ? "left" : classes.includes("tml-right") ? "right" : "center";

const matrix: Draw = ({ children = [] }, all) => {
  const cells = children.map(({ children: row = [] }) =>
    row.map((cell): MathCell => ({ side: sideOf(cell), body: all(cell) })),
  );
  const widest = Math.max(0, ...cells.map(({ length }) => length));
  const empty: MathCell = { side: "center", body: [] };
  const rows = cells.map((row) => [...row, ...Array.from({ length: widest - row.length }, () => empty)]);
  // Columns that are aligned to each other are the sides of equations.
  return { m: "matrix", rows, tight: cells[0]?.[0]?.side === "right" };
};

const enclosed: Draw = (node, all) => {
  const notation = String(node.attributes?.notation ?? "");
  const body = row(node, all);
  return notation === "top" || notation === "bottom"
    ? { m: "line", base: body, over: notation === "top" }
    : body;
};

const identifier: Draw = (node) => {
  const text = textOf(node).replace(INVISIBLE, "");
  if ([...text].length > 1) return { m: "operator", text, limits: LIMITS.has(text) };
  return node.attributes?.mathvariant === "normal" ? { m: "upright", text } : signs(text);
};

const space: Draw = ({ attributes = {} }) => {
  const em = Number.parseFloat(String(attributes.width ?? "0"));
  return { m: "space", em: Number.isFinite(em) ? Math.max(-2, Math.min(10, em)) : 0 };
};

const nothing: Draw = () => [];

/** Every element that formulas are read as. */
const KINDS: Record<string, Draw> = {
  math: row,
  mrow: row,
  mstyle: row,
  mpadded: row,
  menclose: enclosed,
  semantics: ({ children = [] }, all) => all(children[0]),
  annotation: nothing,
  mphantom: nothing,
  mprescripts: nothing,
  none: nothing,
  mi: identifier,
  mn: (node) => signs(textOf(node)),
  mo: (node) => signs(textOf(node)),
  mtext: (node) => ({ m: "words", text: textOf(node) }),
  ms: (node) => ({ m: "words", text: textOf(node) }),
  mspace: space,
  mfrac: ({ children = [], attributes = {} }, all) => ({
    m: "fraction",
    above: all(children[0]),
    below: all(children[1]),
    line: !/^0(?:\D|$)/.test(String(attributes.linethickness ?? "")),
  }),
  msqrt: (node, all) => ({ m: "root", of: row(node, all) }),
  mroot: ({ children = [] }, all) => ({ m: "root", of: all(children[0]), index: all(children[1]) }),
  msup: scripts(false, 1),
  msub: scripts(false, undefined, 1),
  msubsup: scripts(false, 2, 1),
  mover: accented(true),
  munder: accented(false),
  munderover: scripts(true, 2, 1),
  mtable: matrix,
  mtd: row,
  mtr: row,
};

/** The elements of formulas that the typesetter has to know. */
export type MathName = MathElement["m"];
