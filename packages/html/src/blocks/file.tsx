import type { Block } from "@octavo/markdown/document/nodes";
import { refIn } from "../data.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";
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

/** A size as people read it, such as `1.4 MB`. */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit += 1) size /= 1000;
  return `${size < 10 && unit > 0 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`;
}
