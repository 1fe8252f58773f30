import type { Ref } from "@octavo/markdown/document/refs";
import type { Html, Scope } from "./scope.js";
import { sourceUrl } from "./urls.js";

interface Picture {
  ref: Ref | undefined;
  /** What is shown instead on a dark page. */
  dark?: Ref;
  alt: string;
  className?: string;
  title?: string;
  width?: number;
  height?: number;
  /** In percent of the text's width. */
  share?: number;
  /** Whether it is likely the largest thing that is seen at first, which waits for nothing. */
  isLargestPicture?: boolean;
}

/** Draws an image with its size, and the one for dark pages; its words where it has no address that may be written. */
export function picture({ ref, dark, ...shown }: Picture, scope: Scope): Html {
  const main = source(ref, scope);
  if (!main) return shown.alt === "" ? undefined : <span class="lost">{shown.alt}</span>;
  const other = source(dark, scope);
  if (!other) return image(main, shown);
  // One of the two is not shown, and lazy images that are not shown are not loaded.
  const pair = { ...shown, isLargestPicture: false };
  return [image(main, pair, "on-light"), image(other, pair, "on-dark")];
}

interface Source {
  src: string;
  width?: number;
  height?: number;
}

function source(ref: Ref | undefined, { page }: Scope): Source | undefined {
  const file = ref && page.file(ref);
  const src = file && sourceUrl(file.href);
  return src === undefined ? undefined : { src, width: file!.width, height: file!.height };
}

function image({ src, ...own }: Source, shown: Omit<Picture, "ref" | "dark">, theme?: string): Html {
  const { alt, className, title, share, isLargestPicture } = shown;
  const { width, height } = sized(own, shown);
  const classes = [className, theme].filter(Boolean).join(" ") || undefined;
  return (
    <img
      src={src}
      alt={alt}
      title={title}
      class={classes}
      width={width}
      height={height}
      style={share === undefined ? undefined : `width:${share}%`}
      {...(isLargestPicture ? { fetchpriority: "high" } : { loading: "lazy" })}
      decoding="async"
    />
  );
}

/** One side given, the other one follows from the proportions of the image. */
function sized(own: Omit<Source, "src">, { width, height }: Pick<Picture, "width" | "height">) {
  if (own.width === undefined || own.height === undefined) return { width, height };
  if (width === undefined && height === undefined) return own;
  const ratio = own.width / own.height;
  return {
    width: width ?? Math.round((height ?? 0) * ratio),
    height: height ?? Math.round((width ?? 0) / ratio),
  };
}
