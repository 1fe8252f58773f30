import { htmlAttrs, keptAttrs } from "../parser/html.js";
import { type Block, blocksOf, type Data, type InlineNode, inlinesOf } from "./nodes.js";
import { type Address, addressOf } from "./refs.js";
import { imageSource } from "./render-void.js";

/** How the addresses and captions of images are written. */
export interface ImageWriter {
  address?: Address;
  words(nodes: InlineNode[]): string;
}

/** Figures, several of them or one with attributes in a div; an image that had no figure gets none. */
export function imagesHtml(node: Block, writer: ImageWriter): string {
  const { align, fullWidth, withFrame, attributes } = node.data ?? {};
  const figures = blocksOf(node).map((image) => figure(image, writer));
  const attrs =
    htmlAttrs({ align, "data-full-width": text(fullWidth), "data-with-frame": text(withFrame) }) +
    keptAttrs(attributes);
  return attrs === "" && figures.length === 1 && figures[0]!.startsWith("<figure")
    ? figures[0]!
    : `<div${attrs}>${figures.join(" ")}</div>`;
}
const text = (value: unknown): unknown => (typeof value === "boolean" ? String(value) : value);

function figure({ data = {}, fragments = [] }: Block, writer: ImageWriter): string {
  const { ref, refDark, alt, width, height, attributes } = data;
  const sized = { ref, refDark, alt, width: lengthValue(width), height: lengthValue(height) };
  const source = imageSource(sized, (one) => addressOf(one, writer.address), attributes);
  const caption = fragments
    .flatMap(({ nodes }) => nodes)
    .map((node) => `<p>${writer.words(inlinesOf(node))}</p>`);
  if (data.figure === false && caption.length === 0) return source;
  return `<figure>${source}<figcaption>${caption.join("")}</figcaption></figure>`;
}

/** A length as an attribute has it. */
export const lengthValue = (value: unknown): unknown => {
  if (value === undefined || typeof value !== "object" || value === null) return value;
  const { unit, value: number } = value as Data;
  return `${number}${unit}`;
};
