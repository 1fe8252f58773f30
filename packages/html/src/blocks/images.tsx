import type { Block } from "@octavo/markdown/document/nodes";
import { isSet, oneOf, percentIn, pixelsIn, refIn, textIn } from "../data.js";
import { picture } from "../picture.js";
import type { Html, Scope } from "../scope.js";

/** Images that stand together. */
export function images({ data, nodes }: Block, scope: Scope): Html {
  const side = oneOf(["left", "right"] as const, data?.align);
  const many = (nodes?.length ?? 0) > 1 && "gallery";
  const flags = [isSet(data, "fullWidth") && "wide", isSet(data, "withFrame") && "framed"];
  const classes = ["images", side, many, ...flags].filter(Boolean).join(" ");
  return <div class={classes}>{scope.blocks(nodes)}</div>;
}

/** An image with its caption. */
export function image({ data, fragments }: Block, scope: Scope): Html {
  const caption = fragments?.find(({ fragment }) => fragment === "caption")?.nodes ?? [];
  const shown = picture(
    {
      ref: refIn(data),
      dark: refIn(data, "refDark"),
      alt: textIn(data, "alt") ?? "",
      width: pixelsIn(data, "width"),
      height: pixelsIn(data, "height"),
      share: percentIn(data, "width"),
      isLargestPicture: scope.isLargestPicture(),
    },
    scope,
  );
  return (
    <figure>
      {shown}
      {caption.length > 0 && <figcaption>{scope.blocks(caption)}</figcaption>}
    </figure>
  );
}

/** A drawing, which is an image to those who only read. */
export function drawing({ data }: Block, scope: Scope): Html {
  const size = { width: pixelsIn(data, "width"), height: pixelsIn(data, "height") };
  const shown = picture({ ref: refIn(data), alt: textIn(data, "alt") ?? "", ...size }, scope);
  return shown && <figure class="drawing">{shown}</figure>;
}
