import type { Block } from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";
import { hostOf, linkUrl } from "../urls.js";

/** Something of another site: a card that leads to it, so that the other site learns nothing of readers who do not follow it. */
export function embed({ data, fragments }: Block, scope: Scope): Html {
  const url = textIn(data, "url") ?? "";
  const href = linkUrl(url);
  const host = hostOf(url);
  const caption = fragments?.[0]?.nodes ?? [];
  const words =
    caption.length > 0 ? scope.inLink(() => caption.flatMap(({ nodes }) => scope.inlines(nodes))) : url;
  if (href === undefined) return <p>{words}</p>;
  return (
    <a
      class="card-link embed"
      href={href}
      {...externalLinkAttributes(href, scope.page)}
      data-embed={playable(href, host)}
    >
      {icon(ICONS[host ?? ""] ?? "arrow-up-right-from-square")}
      <span>
        <strong>{words}</strong>
        {host !== undefined && <small>{host}</small>}
      </span>
    </a>
  );
}

const ICONS: Record<string, string> = {
  "youtube.com": "youtube",
  "youtu.be": "youtube",
  "vimeo.com": "vimeo",
  "loom.com": "circle-play",
  "github.com": "github",
  "figma.com": "figma",
  "codepen.io": "codepen",
  "x.com": "x-twitter",
  "twitter.com": "x-twitter",
};

/** The address that plays it in a frame, for hosts whose frames readers may open by a click; undefined for others. */
function playable(href: string, host: string | undefined): string | undefined {
  const video = /(?:[?&]v=|\/embed\/|\/shorts\/|youtu\.be\/)([\w-]{11})(?:[?&#/]|$)/.exec(href)?.[1];
  if (video && (host === "youtube.com" || host === "youtu.be"))
    return `https://www.youtube-nocookie.com/embed/${video}`;
  const film = /vimeo\.com\/(?:video\/)?(\d{5,12})(?:[?#/]|$)/.exec(href)?.[1];
  if (film && host === "vimeo.com") return `https://player.vimeo.com/video/${film}?dnt=1`;
  const loom = /loom\.com\/share\/([0-9a-f]{32})(?:[?#/]|$)/.exec(href)?.[1];
  return loom && host === "loom.com" ? `https://www.loom.com/embed/${loom}` : undefined;
}
