import type { Block } from "@octavo/markdown/document/nodes";
import { refIn, textIn } from "../data.js";
import { externalLinkAttributes, isExternal } from "../external-link.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";
import { targetIcon } from "../target-icon.js";
import { hostOf, linkUrl } from "../urls.js";

/** A card that leads to a page or elsewhere. */
export function contentRef({ data }: Block, scope: Scope): Html {
  const ref = refIn(data);
  const target = ref && scope.page.link(ref);
  const href = target && linkUrl(target.href);
  const title = target?.title ?? textIn(data, "text") ?? target?.href ?? "";
  if (href === undefined) return title === "" ? undefined : <p class="lost">{title}</p>;
  const host = isExternal(href, scope.page) ? hostOf(href) : undefined;
  const below = target!.description ?? host;
  return (
    <a class="card-link" href={href} {...externalLinkAttributes(href, scope.page)}>
      {targetIcon(target!) ?? icon(host === undefined ? "file-lines" : "link")}
      <span>
        <strong>{title}</strong>
        {below !== undefined && <small>{below}</small>}
      </span>
    </a>
  );
}
