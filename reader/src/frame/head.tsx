import { emojiOf } from "@octavo/html/emoji";
import type { Html } from "@octavo/html/scope";
import { sourceUrl } from "@octavo/html/urls";
import type { Assets } from "../assets/assets.js";
import type { LettersOfPage } from "../assets/letters.js";
import type { Site } from "../site/site.js";
import type { Frame } from "./frame.js";
import { filesOf, sheetsOf, styles } from "./styles.js";
import { THEME_SCRIPT } from "./theme.js";

/** The head of a page that has some letters: title, look, and metadata for machines. */
export function head(frame: Frame, letters: LettersOfPage): Html {
  const { site, assets, title, description, canonical, markdown, noIndex, data, previous, next } = frame;
  const full = title === site.title ? title : `${title} · ${site.title}`;
  const image = site.customization.socialPreview.url && sourceUrl(site.customization.socialPreview.url);
  return (
    <head>
      <meta charset="utf-8" />
      <title>{full}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {description && <meta name="description" content={description} />}
      {noIndex && <meta name="robots" content="noindex" />}
      <meta name="color-scheme" content="light dark" />
      <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      {frame.atOnce && <link {...RENDER_AT_END} />}
      {styles(site, assets, letters, sheetsOf(site))}
      <script type="module" src={assets.url("site.js")} />
      {filesOf(frame.files ?? [], assets)}
      {frame.feed && <link rel="alternate" type="application/rss+xml" href={frame.feed} />}
      {languages(frame)}
      {icons(site, assets)}
      {canonical && <link rel="canonical" href={canonical} />}
      {markdown && <link rel="alternate" type="text/markdown" href={markdown} />}
      {previous && <link rel="prev" href={previous} />}
      {next && <link rel="next" href={next} />}
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      {canonical && <meta property="og:url" content={canonical} />}
      {image && <meta property="og:image" content={image} />}
      {image && <meta name="twitter:card" content="summary_large_image" />}
      {data && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonIn(data) }} />}
    </head>
  );
}

/** Nothing is shown before the end of the page has arrived: a table grows while its rows do, and moves its head. */
const RENDER_AT_END = { rel: "expect", href: "#~end", blocking: "render" };

/** The words that scripts show, as attributes of the whole page. */
export const scriptWords = ({ words }: Site) => ({
  "data-copy": words.document.copy,
  "data-copied": words.document.copied,
  "data-failed": words.failed,
  "data-enlarge": words.enlarge,
  "data-close": words.close,
});

/** The same page in other languages, itself among them. Of the versions in one language, this one or the first. */
function languages({ variants = [] }: Frame): Html {
  const byLanguage = new Map<string, string>();
  for (const { same, current } of variants)
    if (same && (current || !byLanguage.has(same.language))) byLanguage.set(same.language, same.canonical);
  if (byLanguage.size < 2) return undefined;
  return [...byLanguage].map(([language, href]) => <link rel="alternate" hreflang={language} href={href} />);
}

/** The icon of a site: a pair of images, an emoji, or ours. */
function icons({ customization }: Site, assets: Assets): Html {
  const { favicon } = customization;
  if ("icon" in favicon) {
    const [light, dark] = [sourceUrl(favicon.icon.light), sourceUrl(favicon.icon.dark)];
    if (light && dark && light !== dark)
      return [
        <link rel="icon" href={light} media="(prefers-color-scheme: light)" />,
        <link rel="icon" href={dark} media="(prefers-color-scheme: dark)" />,
      ];
    return light && <link rel="icon" href={light} />;
  }
  if ("emoji" in favicon) {
    const character = emojiOf(favicon.emoji) ?? "";
    const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${character}</text></svg>`;
    return character && <link rel="icon" href={`data:image/svg+xml,${encodeURIComponent(drawn)}`} />;
  }
  return <link rel="icon" href={assets.url("icon.svg")} />;
}

/** JSON that ends no element, whatever its texts say. */
const jsonIn = (data: object): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
