import { externalLinkAttributes } from "@octavo/html/external-link";
import { icon } from "@octavo/html/icons";
import type { Html } from "@octavo/html/scope";
import { linkUrl, sourceUrl } from "@octavo/html/urls";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Customization, SectionGroup, SectionLink } from "../site/site.js";
import type { Frame } from "./frame.js";
import { searchForm } from "./search-form.js";

/** The bar above a page: the site, its search, links and sections. */
export function header(frame: Frame): Html {
  const { site, sidebar, search } = frame;
  const { words, customization } = site;
  return (
    <header class="top">
      <div class="bar">
        {(sidebar || customization.header.links.length > 0) && (
          <button type="button" class="tool menu" popovertarget="~side" aria-label={words.menu}>
            {icon("bars")}
          </button>
        )}
        {brand(frame)}
        {variants(frame)}
        <span class="room" />
        {search !== undefined && searchForm({ site, action: search })}
        {customization.header.links.length > 0 && (
          <nav>{customization.header.links.map((one) => headerLink(one, frame))}</nav>
        )}
        {customization.themes.toggeable && (
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
  const { logo } = site.customization.header;
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
  if (sections.flatMap((one) => ("sections" in one ? one.sections : one)).length < 2) return undefined;
  return (
    <nav class="sections" aria-label={words.sections}>
      {sections.map((one) => ("sections" in one ? sectionGroup(one) : section(one)))}
    </nav>
  );
}

const section = ({ title, href, icon: name, current }: SectionLink): Html => (
  <a href={href} aria-current={current ? "true" : undefined}>
    {icon(name)}
    {title}
  </a>
);

/** A group opens below its title; it needs no script. */
const sectionGroup = ({ title, icon: name, current, sections }: SectionGroup): Html => (
  <details class="more-links" name="~sections">
    <summary class={current ? "current" : undefined}>
      {icon(name)}
      {title}
    </summary>
    <ul>
      {sections.map((one) => (
        <li>{section(one)}</li>
      ))}
    </ul>
  </details>
);

/** The attributes of a link of a customization; undefined for one to what the visitor does not see. */
function linkTo(to: Ref | null | undefined, { links }: Frame) {
  const target = to && links.link(to);
  const href = target ? linkUrl(target.href) : undefined;
  return href === undefined ? undefined : { href, ...externalLinkAttributes(href, links) };
}

type HeaderLink = Customization["header"]["links"][number];
const BUTTONS = {
  link: undefined,
  "button-primary": "button primary",
  "button-secondary": "button secondary",
};

function headerLink({ title, to, style = "link", links: inner }: HeaderLink, frame: Frame): Html {
  const link = linkTo(to, frame);
  const shown = inner.flatMap((one) => {
    const link = linkTo(one.to, frame);
    return link ? [<li>{<a {...link}>{one.title}</a>}</li>] : [];
  });
  if (shown.length === 0)
    return (
      link && (
        <a {...link} class={BUTTONS[style]}>
          {title}
        </a>
      )
    );
  return (
    <details class="more-links">
      <summary>{title}</summary>
      <ul>
        {link && (
          <li>
            <a {...link}>{title}</a>
          </li>
        )}
        {shown}
      </ul>
    </details>
  );
}

/** The links of the header once more, below the pages, for windows in which the header has no room for them. */
export function menuLinks(frame: Frame): Html {
  const { links } = frame.site.customization.header;
  if (links.length === 0) return undefined;
  const entry = ({ title, to }: Pick<HeaderLink, "title" | "to">) => {
    const link = linkTo(to, frame);
    return link && <li>{<a {...link}>{title}</a>}</li>;
  };
  return (
    <ul class="of-header">
      {links.map((one) =>
        one.links.length === 0 ? (
          entry(one)
        ) : (
          <li class="group">
            <span class="label">{one.title}</span>
            <ul>{[entry(one), ...one.links.map(entry)]}</ul>
          </li>
        ),
      )}
    </ul>
  );
}

/** The line above everything, where the site says something to all its readers. */
export function announcement(frame: Frame): Html {
  const announcement = frame.site.customization.announcement;
  if (!announcement?.enabled) return undefined;
  const link = linkTo(announcement.link?.to, frame);
  return (
    <aside class={`announcement ${announcement.style}`}>
      {announcement.message} {link && <a {...link}>{announcement.link!.title}</a>}
    </aside>
  );
}

/** The end of every page. */
export function footer(frame: Frame): Html {
  const { site, links } = frame;
  const { customization, words } = site;
  const { groups, copyright, logo } = customization.footer;
  const privacy = customization.privacyPolicy.url && linkUrl(customization.privacyPolicy.url);
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
                const link = linkTo(to, frame);
                return link && <li>{<a {...link}>{title}</a>}</li>;
              })}
            </ul>
          </section>
        ))}
        {privacy && (
          <p>
            <a href={privacy} {...externalLinkAttributes(privacy, links)}>
              {words.privacy}
            </a>
          </p>
        )}
        {customization.trademark.enabled && <p>{words.poweredBy}</p>}
      </div>
    </footer>
  );
}
