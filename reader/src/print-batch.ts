/** Pages that one print has, and characters of their HTML after which no further page is added. */
const MOST = { pages: 100, length: 4_000_000 };

/**
 * Loads the pages of one print, one after the other: no more than a hundred, and a few megabytes of HTML, so that printing
 * takes no more memory the more a space holds. `count` is the number of entries that were looked at, from the first one.
 */
export async function loadBatch<Entry, Page extends { html: string }>(
  entries: readonly Entry[],
  load: (entry: Entry) => Promise<Page | undefined>,
  most = MOST,
): Promise<{ pages: Page[]; count: number }> {
  const pages: Page[] = [];
  let [count, length] = [0, 0];
  for (const entry of entries.slice(0, most.pages)) {
    if (length >= most.length) break;
    const page = await load(entry);
    count += 1;
    if (!page) continue;
    pages.push(page);
    length += page.html.length;
  }
  return { pages, count };
}
