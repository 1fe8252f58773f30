import type { Block } from "@octavo/markdown/document/nodes";
import { refIn } from "../data.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";
import { sizeText } from "../size.js";
import { linkUrl } from "../urls.js";

/** A file to download, with its size where that is known. */
export function file({ data, fragments }: Block, scope: Scope): Html {
  const ref = refIn(data);
  const found = ref && scope.page.file(ref);
  const href = found && linkUrl(found.href);
  const caption = fragments?.[0]?.nodes ?? [];
  const name = (
    <>
      {icon("file-lines")}
      <span class="name">{found?.name ?? ""}</span>
      {found?.size !== undefined && <span class="size">{sizeText(found.size)}</span>}
    </>
  );
  const card =
    href === undefined ? (
      <span class="file">{name}</span>
    ) : (
      <a class="file" href={href} download={found!.name}>
        {name}
      </a>
    );
  if (caption.length === 0) return card;
  return (
    <figure>
      {card}
      <figcaption>{scope.blocks(caption)}</figcaption>
    </figure>
  );
}
