import { icon } from "@octavo/html/icons";
import type { Html } from "@octavo/html/scope";
import { LONGEST_QUERY } from "../site/limits.js";
import type { Site } from "../site/site.js";

export interface Form {
  site: Site;
  /** The path that the form leads to. */
  action: string;
  query?: string;
  inSection?: boolean;
}

/** The form that looks for words: a page of results without any script, and a list while typing with one. */
export function searchForm({ site, action, query, inSection }: Form): Html {
  const { words } = site;
  return (
    <search>
      <form class="find" action={action} data-search>
        {icon("magnifying-glass")}
        <input
          type="search"
          name="q"
          value={query}
          placeholder={words.search}
          aria-label={words.searchIn}
          autocomplete="off"
          spellcheck={false}
          maxlength={LONGEST_QUERY}
        />
        {site.spaces.length > 1 && (
          <select name="in" class="scope" aria-label={words.search}>
            <option value="">{words.inSite}</option>
            <option value="section" selected={inSection}>
              {words.inSection}
            </option>
          </select>
        )}
        <kbd>/</kbd>
      </form>
    </search>
  );
}
