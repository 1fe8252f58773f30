import type { Page } from "@octavo/html/page";
import { renderHtml } from "@octavo/html/render";
import type { Html } from "@octavo/html/scope";
import type { Assets } from "../assets/assets.js";
import type { FoundPage } from "../site/search.js";
import type { Site } from "../site/site.js";
import { htmlOf } from "./document.js";
import { type Form, searchForm } from "./search-form.js";

/** The results alone, as the list of a search while typing shows them: options one below the other. */
export function resultsPart(site: Site, found: FoundPage[], query: string): string {
  const { words } = site;
  const option = (href: string, inner: Html, className?: string) => (
    <a href={href} role="option" aria-selected="false" tabIndex={-1} class={className}>
      {inner}
    </a>
  );
  return renderHtml(
    <>
      <output>{found.length === 0 ? words.nothing : words.results(found.length)}</output>
      {found.map(({ title, href, above, body, sections }) => (
        <>
          {option(
            href,
            <>
              <strong>{marked(title, query)}</strong>
              {above.length > 0 && <span>{above.join(" › ")}</span>}
              {body && <small>{marked(body, query)}</small>}
            </>,
          )}
          {sections.map((one) =>
            option(
              one.href,
              <>
                {marked(one.title, query)}
                <small>{marked(one.body, query)}</small>
              </>,
              "inner",
            ),
          )}
        </>
      ))}
    </>,
  );
}

interface Results extends Form {
  assets: Assets;
  home: string;
  sidebar: Html;
  links: Page;
  found: FoundPage[];
  query: string;
}

/** The HTML of the page of results. */
export function searchHtml({ assets, home, sidebar, links, found, ...form }: Results): string {
  const { site, query, action } = form;
  const { words } = site;
  return htmlOf({
    site,
    assets,
    home,
    links,
    sidebar,
    search: action,
    noIndex: true,
    files: ["results.css"],
    title: query === "" ? words.search : `${words.search}: ${query}`,
    body: (
      <>
        <div class="head">
          <h1>{words.search}</h1>
        </div>
        <div class="lookup">{searchForm(form)}</div>
        {query !== "" && (
          <p class="count" role="status">
            {found.length === 0 ? words.nothing : words.results(found.length)}
          </p>
        )}
        <ol class="results">
          {found.map(({ title, href, above, body, sections }) => (
            <li>
              <a href={href}>
                {above.length > 0 && <small>{above.join(" › ")}</small>}
                <strong>{marked(title, query)}</strong>
                {body && <p>{marked(body, query)}</p>}
              </a>
              {sections.length > 0 && (
                <ul>
                  {sections.map((one) => (
                    <li>
                      <a href={one.href}>
                        <strong>{marked(one.title, query)}</strong>
                        <p>{marked(one.body, query)}</p>
                      </a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ol>
      </>
    ),
  });
}

const MOST_WORDS = 8;

/** A text in which the words of a query stand out. */
export function marked(text: string, query: string): Html {
  const words = query.split(/[\s"]+/u).filter((word) => word !== "");
  if (words.length === 0) return text;
  const sources = words.slice(0, MOST_WORDS).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${sources.join("|")})`, "iu"));
  return parts.map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part));
}
