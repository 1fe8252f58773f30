import { icon } from "@octavo/html/icons";
import { renderHtml } from "@octavo/html/render";
import type { Html } from "@octavo/html/scope";
import { linkUrl, sourceUrl } from "@octavo/html/urls";
import type { Assets } from "../assets.js";
import type { Site } from "../site.js";
import { isRightToLeft } from "../words/index.js";
import { searchForm } from "./search-form.js";
import { THEME_SCRIPT, themeStyle } from "./theme.js";

/** What stands around every page of a site, and what a page puts into it. */
export interface Frame {
  site: Site;
  assets: Assets;
  /** The path of the site, with a slash at its end. */
  home: string;
  title: string;
  description?: string;
  canonical?: string;
  /** The path of the same page as markdown. */
  markdown?: string;
  /** Whether search engines may not list it. */
  noIndex: boolean;
  /** The path of the feed of its updates. */
  feed?: string;
  /** The same page in other languages, by their names. */
  languages?: { language: string; href: string }[];
  /** Files of scripts that what is on the page asks for. */
  scripts?: string[];
  /** The path of the search. */
  search?: string;
  /** What the page is, for machines. */
  data?: object;
  previous?: string;
  next?: string;
  sidebar?: Html;
  outline?: Html;
  wide?: boolean;
  body: Html;
}

/** The HTML of a whole page. */
export function htmlOf(frame: Frame): string {
  const { site, sidebar, outline, body, wide } = frame;
  const { words, language } = site;
  const layout = ["layout", !sidebar && "bare", wide && "wide"].filter(Boolean).join(" ");
  const page = (
    <html
      lang={language}
      dir={isRightToLeft(language) ? "rtl" : undefined}
      data-copy={words.document.copy}
      data-copied={words.document.copied}
    >
      {head(frame)}
      <body>
        <a class="skip" href="#~main">
          {words.skip}
        </a>
        {announcement(site)}
        {header(frame)}
        <div class={layout}>
          {sidebar && (
            <nav class="side" id="~side" popover="auto" aria-label={words.menu}>
              {sidebar}
            </nav>
          )}
          <main class="page" id="~main">
            {body}
          </main>
          {outline}
        </div>
        {footer(frame)}
      </body>
    </html>
  );
  return `<!doctype html>${renderHtml(page)}`;
}

function head(frame: Frame): Html {
  const { site, assets, title, description, canonical, markdown, noIndex, data, previous, next } = frame;
  const full = title === site.title ? title : `${title} · ${site.title}`;
  const image = sourceUrl(site.look.socialPreview.url ?? "");
  const { favicon } = site.look;
  const drawn = "icon" in favicon ? sourceUrl(favicon.icon.light) : undefined;
  return (
    <head>
      <meta charset="utf-8" />
      <title>{full}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {description && <meta name="description" content={description} />}
      {noIndex && <meta name="robots" content="noindex" />}
      <meta name="color-scheme" content="light dark" />
      <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      <link rel="stylesheet" href={assets.url("site.css")} />
      <style dangerouslySetInnerHTML={{ __html: themeStyle(site.look) }} />
      <script type="module" src={assets.url("site.js")} />
      {scripts(frame.scripts ?? [], site, assets)}
      {frame.feed && <link rel="alternate" type="application/rss+xml" href={frame.feed} />}
      {frame.languages?.map(({ language, href }) => (
        <link rel="alternate" hreflang={language} href={href} />
      ))}
      <link rel="icon" href={drawn ?? assets.url("icon.svg")} />
      {canonical && <link rel="canonical" href={canonical} />}
      {markdown && <link rel="alternate" type="text/markdown" href={markdown} />}
      {previous && <link rel="prev" href={previous} />}
      {next && <link rel="next" href={next} />}
      <meta property="og:type" content="article" />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      {canonical && <meta property="og:url" content={canonical} />}
      {image && site.look.socialPreview.url && <meta property="og:image" content={image} />}
      {data && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonIn(data) }} />}
    </head>
  );
}

/** The scripts that what is on a page asks for; that of diagrams is told where their frame is. */
export const scripts = (names: string[], { words }: Site, assets: Assets): Html =>
  names.map((name) => {
    const told = name === "diagram.js" && {
      "data-frame": assets.url("diagram.html"),
      "data-enlarge": words.enlarge,
      "data-close": words.close,
    };
    return <script type="module" src={assets.url(name)} {...told} />;
  });

/** JSON that ends no element, whatever its texts say. */
const jsonIn = (data: object): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function header({ site, home, sidebar, search }: Frame): Html {
  const { logo, links } = site.look.header;
  const { words } = site;
  const [light, dark] = [sourceUrl(logo?.light ?? ""), sourceUrl(logo?.dark ?? "")];
  const drawn = logo && light && dark;
  return (
    <header class="top">
      <div class="bar">
        {sidebar && (
          <button type="button" class="tool menu" popovertarget="~side" aria-label={words.menu}>
            {icon("bars")}
          </button>
        )}
        <a class="brand" href={home} aria-label={drawn ? site.title : undefined}>
          {drawn ? (
            [<img class="on-light" src={light} alt="" />, <img class="on-dark" src={dark} alt="" />]
          ) : (
            <>
              <span class="seal" aria-hidden="true">
                {[...site.title][0]?.toUpperCase()}
              </span>
              <span>{site.title}</span>
            </>
          )}
        </a>
        <span class="room" />
        {search !== undefined && searchForm({ site, action: search })}
        {links.length > 0 && <nav>{links.map((link) => headerLink(link))}</nav>}
        <button type="button" class="tool" data-theme-switch hidden aria-label={words.theme}>
          <span class="on-light">{icon("moon")}</span>
          <span class="on-dark">{icon("sun")}</span>
        </button>
      </div>
      {tabs(site)}
    </header>
  );
}

type HeaderLink = Site["look"]["header"]["links"][number];

function headerLink({ title, to }: HeaderLink): Html {
  const url = to?.kind === "url" ? linkUrl(to.url) : undefined;
  return url !== undefined && <a href={url}>{title}</a>;
}

/** Sections; without any, the variants of the site. */
function tabs({ sections, variants, words }: Site): Html {
  if (sections.length > 1) {
    return (
      <nav class="sections" aria-label={words.sections}>
        {sections.map(({ title, href, icon: name, current }) => (
          <a href={href} aria-current={current ? "true" : undefined}>
            {icon(name)}
            {title}
          </a>
        ))}
      </nav>
    );
  }
  if (variants.length < 2) return undefined;
  return (
    <nav class="sections" aria-label={words.sections}>
      {variants.map(({ title, href, current }) => (
        <a href={href} aria-current={current ? "true" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function announcement({ look }: Site): Html {
  const said = look.announcement;
  if (!said?.enabled) return undefined;
  const to = said.link?.to;
  const url = to?.kind === "url" ? linkUrl(to.url) : undefined;
  return (
    <aside class="announcement">
      {said.message} {url !== undefined && <a href={url}>{said.link!.title}</a>}
    </aside>
  );
}

function footer({ site }: Frame): Html {
  const { groups, copyright } = site.look.footer;
  return (
    <footer class="bottom">
      <div>
        <p>{copyright ?? site.title}</p>
        {groups.map(({ title, links }) => (
          <section>
            <h2>{title}</h2>
            <ul>
              {links.map(({ title, to }) => {
                const url = to.kind === "url" ? linkUrl(to.url) : undefined;
                return (
                  url !== undefined && (
                    <li>
                      <a href={url}>{title}</a>
                    </li>
                  )
                );
              })}
            </ul>
          </section>
        ))}
        {site.look.trademark.enabled && <p>{site.words.poweredBy}</p>}
      </div>
    </footer>
  );
}
