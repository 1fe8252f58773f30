import { type Inline, plainText } from "@octavo/markdown/document/nodes";
import { refIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import type { Html, Scope } from "../scope.js";
import { linkUrl } from "../urls.js";

/** A link; words alone where it leads nowhere that may be written. */
export function link(node: Inline, scope: Scope): Html {
  const ref = refIn(node.data);
  const target = ref && scope.page.link(ref);
  const href = target && linkUrl(target.href);
  const empty = plainText(node.nodes ?? []).trim() === "" && !(node.nodes ?? []).some(isPicture);
  const words = () => (empty ? (target?.title ?? target?.href) : scope.inlines(node.nodes));
  if (scope.linked) return words();
  if (href === undefined) return <span class="lost">{words()}</span>;
  return (
    <a href={href} {...externalLinkAttributes(href, scope.page)}>
      {scope.inLink(words)}
    </a>
  );
}

const isPicture = (node: { object: string; type?: string }) =>
  node.object === "inline" && ["inline-image", "icon", "emoji", "inline-math"].includes(node.type ?? "");
