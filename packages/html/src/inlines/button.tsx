import type { Inline } from "@octavo/markdown/document/nodes";
import { refIn, textIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";
import { linkUrl } from "../urls.js";

/** A link that looks like a button; its label alone where it leads nowhere. */
export function button({ data }: Inline, scope: Scope): Html {
  const label = textIn(data, "label") ?? "";
  const ref = refIn(data);
  const target = ref && scope.page.link(ref);
  const href = target && linkUrl(target.href);
  const kind = textIn(data, "kind") === "secondary" ? "button secondary" : "button primary";
  const words = (
    <>
      {icon(textIn(data, "icon"))}
      {label}
    </>
  );
  if (href === undefined || scope.linked) return <span class={kind}>{words}</span>;
  return (
    <a class={kind} href={href} {...externalLinkAttributes(href, scope.page)}>
      {words}
    </a>
  );
}
