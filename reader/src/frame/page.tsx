import { assistants } from "@octavo/html/assistants";
import { dayIn } from "@octavo/html/dates";
import { externalLinkAttributes } from "@octavo/html/external-link";
import { icon } from "@octavo/html/icons";
import type { Page } from "@octavo/html/page";
import type { Html } from "@octavo/html/scope";
import { targetIcon } from "@octavo/html/target-icon";
import { linkUrl, sourceUrl } from "@octavo/html/urls";
import type { Assets } from "../assets/assets.js";
import { placeOfIcon } from "../assets/icons.js";
import type { LoadedPage } from "../pages/page.js";
import type { VariantLink } from "../pages/variants.js";
import { pathOf } from "../site/find.js";
import { encodedPath, specialPath } from "../site/links.js";
import type { Place } from "../site/places.js";
import type { Site } from "../site/site.js";
import type { Entry, Space } from "../site/space.js";
import type { Chrome } from "../words/index.js";
import { htmlOf } from "./document.js";
import { feedbackForm } from "./feedback-form.js";
import { sidebar } from "./sidebar.js";

interface Given {
  place: Place;
  site: Site;
  space: Space;
  assets: Assets;
  /** What the references of the customization lead to. */
  customizationLinks: Page;
}

/** Characters of a page that is shown at once; of a longer one readers see the beginning while the rest arrives. */
const MOST_AT_ONCE = 100_000;

/** The HTML of a page of a space. */
export function pageHtml(given: Given, page: LoadedPage, variants: VariantLink[]): string {
  const { place, site, space, assets, customizationLinks } = given;
  const { entry, shown, html } = page;
  const { words, customization } = site;
  const { layout, description } = shown;
  const hrefOf = (one: Entry) => place.base + encodedPath(pathOf(space, one));
  const at = space.order.indexOf(entry);
  const [previous, next] = [
    at > 0 ? space.order[at - 1] : undefined,
    at < 0 ? undefined : space.order[at + 1],
  ];
  const ancestors = ancestorsOf(entry);
  const canonical = place.canonical + encodedPath(pathOf(space, entry));
  const markdown = `${place.base}${encodedPath(entry.path ?? "")}.md`;
  const about = description || page.summary;
  const article = {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "TechArticle",
        headline: entry.title,
        url: canonical,
        ...(about && { description: about }),
        ...(entry.updatedAt && { dateModified: entry.updatedAt }),
      },
      {
        "@type": "BreadcrumbList",
        itemListElement: [...ancestors, entry].map((one, index) => ({
          "@type": "ListItem",
          position: index + 1,
          name: one.title,
          ...(one.type === "document" && { item: place.canonical + encodedPath(pathOf(space, one)) }),
        })),
      },
    ],
  };
  return htmlOf({
    site,
    assets,
    variants,
    links: customizationLinks,
    home: place.siteBase,
    title: entry.title,
    description: about,
    canonical,
    markdown,
    noIndex: entry.noIndex || entry.hidden || place.isPrivate || site.visibility !== "public",
    data: article,
    files: filesFor(html),
    feed: page.updates ? `${place.base}${encodedPath(entry.path ?? "")}/rss.xml` : undefined,
    previous: previous && hrefOf(previous),
    next: next && hrefOf(next),
    search: specialPath(place, "search"),
    sidebar:
      layout.tableOfContents &&
      sidebar({ space, site, base: place.base, current: entry, links: customizationLinks }),
    outline: layout.outline && outline(page, { markdown, canonical, place, site }),
    wide: layout.width === "wide",
    atOnce: html.length <= MOST_AT_ONCE,
    body: (
      <>
        {layout.cover && cover(page)}
        {ancestors.length > 0 && crumbs(ancestors, hrefOf, words)}
        {(layout.title || (layout.description && description)) && (
          <div class="head">
            {layout.title && (
              <h1>
                {targetIcon(shown)}
                {entry.title}
              </h1>
            )}
            {layout.description && description && <p>{description}</p>}
          </div>
        )}
        {!layout.title && <h1 class="hidden">{entry.title}</h1>}
        {/* Written by the functions that draw documents, which escape what their authors say. */}
        <div class="text" dangerouslySetInnerHTML={{ __html: html }} />
        {customization.feedback.enabled && feedbackForm(specialPath(place, "feedback"), entry.id, words)}
        {layout.pagination && customization.pagination.enabled && around(previous, next, hrefOf, words)}
        {(layout.metadata || page.edit !== undefined) && changed(page, site)}
      </>
    ),
  });
}

/** The style sheets and scripts that what a document is drawn as asks for. */
export const filesFor = (html: string): string[] => [
  ...(/class="(?:api|operation)"/.test(html) ? ["operations.css"] : []),
  ...(html.includes("data-trial") ? ["try.js"] : []),
  ...(html.includes('class="diagram"') ? ["diagram.js"] : []),
];

function ancestorsOf(entry: Entry): Entry[] {
  const ancestors: Entry[] = [];
  for (let above = entry.parent; above; above = above.parent) ancestors.unshift(above);
  return ancestors;
}

function cover({ shown, links }: LoadedPage): Html {
  const file = shown.cover?.ref && links.file(shown.cover.ref);
  const src = file && sourceUrl(file.href);
  return (
    src && (
      <img class="cover" src={src} alt="" width={file!.width} height={file!.height} fetchpriority="high" />
    )
  );
}

const crumbs = (ancestors: Entry[], hrefOf: (one: Entry) => string, words: Chrome): Html => (
  <nav class="crumbs" aria-label={words.breadcrumbs}>
    <ol>
      {ancestors.map((one) => (
        <li>{one.type === "document" ? <a href={hrefOf(one)}>{one.title}</a> : one.title}</li>
      ))}
    </ol>
  </nav>
);

interface Beside {
  markdown: string;
  canonical: string;
  place: Place;
  site: Site;
}

/** What stands beside a page: its headings, and what can be done with it. */
function outline(page: LoadedPage, { markdown, canonical, place, site }: Beside): Html {
  const { words, customization } = site;
  const isForAll = !place.isPrivate && site.visibility !== "visitor-auth";
  const entries = page.outline;
  const highest = Math.min(...entries.map(({ level }) => level));
  const path = encodeURIComponent(page.entry.path ?? "");
  return (
    <>
      {entries.length > 1 && (
        <nav aria-labelledby="~outline">
          <h2 id="~outline">{words.outline}</h2>
          <ul>
            {entries.map(({ id, title, level }) => (
              <li class={level > highest ? "inner" : undefined}>
                <a href={`#${encodeURIComponent(id)}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div class="actions">
        {customization.pageActions.markdown && [
          <button type="button" data-copy-page={markdown} hidden>
            {sharedIcon("copy")}
            {words.copyPage}
          </button>,
          <a href={markdown}>
            {sharedIcon("markdown")}
            {words.markdown}
          </a>,
        ]}
        {customization.pageActions.externalAI && isForAll && assistantLinks(canonical, page, words)}
        {customization.pdf.enabled && [
          <a href={`${specialPath(place, "print")}?page=${path}`} rel="nofollow">
            {sharedIcon("print")}
            {words.print}
          </a>,
          <a href={specialPath(place, "print")} rel="nofollow">
            {sharedIcon("book")}
            {words.printAll}
          </a>,
        ]}
      </div>
    </>
  );
}

/** An icon of the image that all pages share; style sheets cut it out and give it the color of the text. */
const sharedIcon = (name: string): Html => (
  <i class="shared-icon" style={{ "--at": `-${placeOfIcon(name)}em` }} />
);

/** Links that have an assistant read the page, where everybody may. */
const assistantLinks = (canonical: string, { links }: LoadedPage, words: Chrome): Html =>
  assistants(`Read ${canonical} and answer questions about it.`).map(({ name, icon: sign, href }) => {
    const { rel, target } = externalLinkAttributes(href, links);
    return (
      <a href={href} rel={`nofollow ${rel}`} target={target}>
        {sharedIcon(sign)}
        {words.document.openIn(name)}
      </a>
    );
  });

function around(
  previous: Entry | undefined,
  next: Entry | undefined,
  hrefOf: (one: Entry) => string,
  words: Chrome,
): Html {
  if (!previous && !next) return undefined;
  return (
    <nav class="around" aria-label={`${words.previous}, ${words.next}`}>
      {previous && (
        <a href={hrefOf(previous)}>
          <small>{words.previous}</small>
          <strong>{previous.title}</strong>
        </a>
      )}
      {next && (
        <a class="next" href={hrefOf(next)}>
          <small>{words.next}</small>
          <strong>{next.title}</strong>
        </a>
      )}
    </nav>
  );
}

/** When a page was changed, and where its text is edited. */
function changed({ entry, shown, edit, links }: LoadedPage, { words }: Site): Html {
  const { updatedAt } = entry;
  const href = edit && linkUrl(edit);
  return (
    <p class="changed">
      {shown.layout.metadata && updatedAt !== undefined && (
        <span>
          {words.changed} <time datetime={updatedAt}>{dayIn(words.document.dates, updatedAt)}</time>
        </span>
      )}
      {href && (
        <a href={href} {...externalLinkAttributes(href, links)}>
          {icon("pen-to-square")} {words.edit}
        </a>
      )}
    </p>
  );
}

/** The HTML of an address of a site at which there is no page. */
export function notFoundHtml(
  { place, site, space, assets, customizationLinks }: Given,
  near: Entry[],
): string {
  const { words } = site;
  return htmlOf({
    site,
    assets,
    links: customizationLinks,
    home: place.siteBase,
    title: words.notFound,
    noIndex: true,
    search: specialPath(place, "search"),
    sidebar: sidebar({ space, site, base: place.base, current: undefined, links: customizationLinks }),
    body: (
      <>
        <div class="head">
          <h1>{words.notFound}</h1>
          <p>{words.notFoundText}</p>
        </div>
        <div class="text">
          {near.length > 0 && <p>{words.near}</p>}
          {near.map((one) => (
            <a class="card-link" href={place.base + encodedPath(pathOf(space, one))}>
              {icon("file-lines")}
              <span>
                <strong>{one.title}</strong>
                {one.description && <small>{one.description}</small>}
              </span>
            </a>
          ))}
          <p>
            <a class="button secondary" href={place.base}>
              {words.home}
            </a>
          </p>
        </div>
      </>
    ),
  });
}
