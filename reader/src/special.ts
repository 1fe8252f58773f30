// What lies below `~octavo/` of a space, which no page does: what is asked of the whole site.

import { answer } from "./answer.js";
import { bodyOf } from "./bodies.js";
import { resultsPart, searchHtml } from "./frame/search.js";
import { sidebar } from "./frame/sidebar.js";
import { linksOn, NOTHING_REFERRED, specialPath } from "./links.js";
import { policyOf } from "./policy.js";
import { queryIn, searchSite } from "./search.js";
import { HTML, PRIVATE, type Shown } from "./send.js";

type Special = (shown: Shown) => Promise<void>;

const SPECIAL = new Map<string, Special>([["search", sendSearch]]);

/** Sends what lies at a special path; undefined when the path is none. */
export function sendSpecial(shown: Shown): Promise<void> | undefined {
  const name = /^~(?:octavo|gitbook)\/([a-z-]+)$/.exec(shown.path)?.[1];
  return name === undefined ? undefined : SPECIAL.get(name)?.(shown);
}

/** Sends the results of a search as a page, or with `part` as the list that the script of a page shows. */
async function sendSearch(shown: Shown): Promise<void> {
  const { req, res, place, site, space, assets } = shown;
  const parameters = new URLSearchParams(shown.query);
  const query = queryIn(parameters);
  const inSection = parameters.get("in") === "section";
  const found = query === "" ? [] : await searchSite(shown, query, inSection ? "section" : "site");
  const headers = { "content-security-policy": policyOf(site.look), "x-robots-tag": "noindex" };
  const links = linksOn(place, site, space, NOTHING_REFERRED);
  const text = parameters.has("part")
    ? resultsPart(site, found, query)
    : searchHtml({
        ...{ site, assets, home: place.siteBase, found, query, inSection },
        action: specialPath(place, "search"),
        sidebar: sidebar({ space, base: place.base, current: undefined, links }),
      });
  return answer(req, res, bodyOf(text, { type: HTML, headers }), PRIVATE);
}
