import { icon } from "@octavo/html/icons";
import type { Page } from "@octavo/html/page";
import type { Html } from "@octavo/html/scope";
import { linkUrl, sourceUrl } from "@octavo/html/urls";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Look } from "../site.js";
import type { Frame } from "./frame.js";
import { searchForm } from "./search-form.js";

/** The bar above a page: the site, its search, links and sections. */
export function header(frame: Frame): Html {
  const { site, links, sidebar, search } = frame;
  const { words, look } = site;
  return (
    <header class="top">
      <div class="bar">
        {sidebar && (
          <button type="button" class="tool menu" popovertarget="~side" aria-label={words.menu}>
            {icon("bars")}
          </button>
        )}
        {brand(frame)}
        {variants(frame)}
        <span class="room" />
        {search !== undefined && searchForm({ site, action: search })}
        {look.header.links.length > 0 && <nav>{look.header.links.map((one) => headerLink(one, links))}</nav>}
        {look.themes.toggeable && (
          <button type="button" class="tool" data-theme-switch hidden aria-label={words.theme}>
            <span class="on-light">{icon("moon")}</span>
            <span class="on-dark">{icon("sun")}</span>
          </button>
        )}
      </div>
      {sections(frame)}
    </header>
  );
}

function brand({ site, home }: Frame): Html {
  const { logo } = site.look.header;
  const pair = logo && pictures(logo);
  return (
    <a class="brand" href={home} aria-label={pair ? site.title : undefined}>
      {pair ?? (
        <>
          <span class="seal" aria-hidden="true">
            {[...site.title][0]?.toUpperCase()}
          </span>
          <span>{site.title}</span>
        </>
      )}
    </a>
  );
}

/** An image for light pages and one for dark ones. */
function pictures(urls: { light: string; dark: string }): Html {
  const [light, dark] = [sourceUrl(urls.light), sourceUrl(urls.dark)];
  return (
    light && dark && [<img class="on-light" src={light} alt="" />, <img class="on-dark" src={dark} alt="" />]
  );
}

/** The versions and languages of what is shown, each at the page that is open. */
function variants({ site, variants = [] }: Frame): Html {
  const current = variants.find((one) => one.current);
  if (variants.length < 2) return undefined;
  return (
    <details class="variants">
      <summary aria-label={`${site.words.variants}: ${current?.title ?? ""}`}>{current?.title}</summary>
      <ul>
        {variants.map(({ title, href, same, current }) => (
          <li>
            <a href={href} hreflang={same?.language} aria-current={current ? "true" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function sections({ site: { sections, words } }: Frame): Html {
  if (sections.length < 2) return undefined;
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

/** The address of what a look names; undefined for what the visitor does not see. */
function addressOf(to: Ref | null | undefined, links: Page): string | undefined {
  const target = to && links.link(to);
  return target ? linkUrl(target.href) : undefined;
}

type HeaderLink = Look["header"]["links"][number];
const BUTTONS = {
  link: undefined,
  "button-primary": "button primary",
  "button-secondary": "button secondary",
};

function headerLink({ title, to, style = "link", links: inner }: HeaderLink, links: Page): Html {
  const url = addressOf(to, links);
  const shown = inner.flatMap((one) => {
    const href = addressOf(one.to, links);
    return href === undefined ? [] : [<li>{<a href={href}>{one.title}</a>}</li>];
  });
  if (shown.length === 0)
    return (
      url !== undefined && (
        <a href={url} class={BUTTONS[style]}>
          {title}
        </a>
      )
    );
  return (
    <details class="more-links">
      <summary>{title}</summary>
      <ul>
        {url !== undefined && (
          <li>
            <a href={url}>{title}</a>
          </li>
        )}
        {shown}
      </ul>
    </details>
  );
}

/** The line above everything, where the site says something to all its readers. */
export function announcement({ site, links }: Frame): Html {
  const said = site.look.announcement;
  if (!said?.enabled) return undefined;
  const url = addressOf(said.link?.to, links);
  return (
    <aside class={`announcement ${said.style}`}>
      {said.message} {url !== undefined && <a href={url}>{said.link!.title}</a>}
    </aside>
  );
}

/** The end of every page. */
export function footer({ site, links }: Frame): Html {
  const { look, words } = site;
  const { groups, copyright, logo } = look.footer;
  const privacy = look.privacyPolicy.url && linkUrl(look.privacyPolicy.url);
  return (
    <footer class="bottom">
      <div>
        <div>
          {logo && <p class="logo">{pictures(logo)}</p>}
          <p>{copyright ?? site.title}</p>
        </div>
        {groups.map(({ title, links: inner }) => (
          <section>
            <h2>{title}</h2>
            <ul>
              {inner.map(({ title, to }) => {
                const url = addressOf(to, links);
                return url === undefined ? undefined : <li>{<a href={url}>{title}</a>}</li>;
              })}
            </ul>
          </section>
        ))}
        {privacy && (
          <p>
            <a href={privacy}>{words.privacy}</a>
          </p>
        )}
        {look.trademark.enabled && <p>{words.poweredBy}</p>}
      </div>
    </footer>
  );
}
