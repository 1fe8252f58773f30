import type { Inline } from "@octavo/markdown/document/nodes";
import { refIn, textIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import type { Html, Scope } from "../scope.js";
import { targetIcon } from "../target-icon.js";
import { linkUrl } from "../urls.js";

/** A page or somebody that is named in a line of text; the words of its source where it leads nowhere. */
export function mention({ data }: Inline, scope: Scope): Html {
  const ref = refIn(data);
  const target = ref && scope.page.link(ref);
  if (!target) {
    const words = textIn(data, "text") ?? "";
    return scope.linked || words === "" ? words : <span class="lost">{words}</span>;
  }
  const title = target.title ?? target.href;
  const href = linkUrl(target.href);
  if (href === undefined || scope.linked) return title;
  return (
    <a class="mention" href={href} {...externalLinkAttributes(href, scope.page)}>
      {targetIcon(target)}
      {title}
    </a>
  );
}
