import { attributesOf, closedBy, type HtmlTag } from "../parser/html.js";
import { flag } from "../parser/tags.js";
import { pictureParts } from "./inline-elements.js";
import { type Block, block, type Data, type Fragment, voidBlock } from "./nodes.js";
import { type Resolve, refOf } from "./refs.js";
import { lengthOf } from "./tag-blocks.js";

/** How the addresses and captions of images are read. */
export interface ImageContext {
  resolve?: Resolve;
  blocks(html: string): Block[];
}

const FIGURE = /<figure>([\s\S]*?)<\/figure>/gi;

/**
 * Images: a figure, several of them in a div, or one image without a figure there, marked by `data.figure`. Undefined
 * when there is anything else in them.
 */
export function figures(tag: HtmlTag, inner: string, context: ImageContext): Block | undefined {
  const alone = tag.name === "figure";
  if (alone && Object.keys(tag.attrs).length > 0) return undefined;
  const from = alone ? `<figure>${inner}</figure>` : inner;
  const data = alone ? {} : galleryData(tag.attrs);
  // Those that are not closed would each be looked through to the end.
  const last = Math.max(from.lastIndexOf("</figure>"), from.lastIndexOf("</FIGURE>")) + "</figure>".length;
  const closed = from.slice(0, last);
  const bare = /^\s*<(?:img|picture)[\s>]/i.test(from);
  if (!bare && (closed.replace(FIGURE, "") + from.slice(last)).trim() !== "") return undefined;
  const nodes = bare
    ? [image(from, context, { figure: false })]
    : [...closed.matchAll(FIGURE)].map(([, figure]) => image(figure!, context));
  if (nodes.length === 0 || nodes.some((node) => node === undefined)) return undefined;
  return { ...block("images", data, nodes as Block[]), isVoid: false };
}

function galleryData({
  align,
  "data-full-width": wide,
  "data-with-frame": frame,
  ...others
}: HtmlTag["attrs"]): Data {
  const known = align !== undefined && ["left", "center", "right"].includes(align);
  return {
    ...(known && { align }),
    ...(wide !== undefined && { fullWidth: flag(wide) }),
    ...(frame !== undefined && { withFrame: flag(frame) }),
    ...attributesOf({ ...(align !== undefined && !known && { align }), ...others }),
  };
}

function image(figure: string, context: ImageContext, more: Data = {}): Block | undefined {
  const captioned = closedBy(figure, /<figcaption>/i, "</figcaption>");
  const rest = (captioned ? figure.slice(0, captioned.match.index) : figure).trim();
  const picture = /^<picture>([\s\S]*)<\/picture>$/i.exec(rest);
  const parts = pictureParts(picture?.[1] ?? rest);
  if (!parts || (!picture && parts.dark !== undefined)) return undefined;
  const { src, alt, width, height, ...others } = parts.img;
  if (src === undefined) return undefined;
  const caption = captioned ? context.blocks(captioned.inner) : [];
  if (caption.some(({ type }) => type !== "paragraph")) return undefined;
  const fragments: Fragment[] =
    caption.length > 0 ? [{ object: "fragment", fragment: "caption", nodes: caption.map(plainCaption) }] : [];
  const { resolve } = context;
  return voidBlock(
    "image",
    {
      ref: refOf(src, resolve),
      ...(parts.dark !== undefined && { refDark: refOf(parts.dark, resolve) }),
      ...(width && { width: lengthOf(width) }),
      ...(height && { height: lengthOf(height) }),
      ...(alt && { alt }),
      ...attributesOf(others),
      ...more,
    },
    fragments,
  );
}

/** Captions are written as paragraphs always. */
const plainCaption = (node: Block): Block => ({ ...node, data: {} });
