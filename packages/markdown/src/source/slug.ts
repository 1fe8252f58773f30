const FOLDED: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
};
const LONGEST = 100;

/**
 * A URL part made from a title: lower case, Latin diacritics folded, letters and digits of every script kept,
 * `&` spelled "and", everything else one `-`. Dots and underscores inside stay ("node.js", "pg_dump").
 * At most 100 characters. `fallback` is returned when nothing is left (a title of emoji only).
 */
export function slugify(title: string, fallback = "page"): string {
  const folded = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .replace(/[ßæœøđðþłħı]/g, (letter) => FOLDED[letter] ?? "");
  const words = folded
    .replace(/\p{Cf}|['’]|[\u{FE00}-\u{FE0F}]|\u20E3/gu, "")
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}\p{M}._]+/gu, "-");
  return trimDashes([...words].slice(0, LONGEST).join("")) || fallback;
}

/**
 * The slug of a file or folder name: `[A-Za-z0-9._~-]` stay as they are, everything else goes through slugify. Names
 * longer than file systems have them (255) are cut.
 */
export function fileSlug(fileName: string): string {
  const name = fileName.slice(0, 255);
  if (/^[A-Za-z0-9._~-]+$/.test(name)) return /^\.+$/.test(name) ? "page" : name;
  let slug = "";
  for (const [run] of name.normalize("NFC").matchAll(/[A-Za-z0-9._~-]+|[^A-Za-z0-9._~-]+/g)) {
    const kept = /^[A-Za-z0-9._~-]/.test(run) ? run : gap(run);
    // A dash stands for what was dropped, unless there is one already.
    slug += kept.startsWith("-") && (slug === "" || slug.endsWith("-")) ? kept.slice(1) : kept;
  }
  if (!/[A-Za-z0-9._~-]$/.test(name) && slug.endsWith("-")) slug = slug.slice(0, -1);
  return /^\.*$/.test(slug) ? "page" : slug;
}

function gap(run: string): string {
  const letter = /^[\p{L}\p{N}\p{M}]/u;
  const [first = "", last = ""] = [[...run][0], [...run].at(-1)];
  const words = slugify(run, "");
  return words === "" ? "-" : `${letter.test(first) ? "" : "-"}${words}${letter.test(last) ? "" : "-"}`;
}

/** `wanted`, or `wanted-1`, `wanted-2`… : the first that is not taken. Does not add it to `taken`. */
export function uniqueSlug(wanted: string, taken: { has(slug: string): boolean }): string {
  if (!taken.has(wanted)) return wanted;
  let number = 1;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

/** uniqueSlug for many names in a row: remembers what it gave out and where it stopped counting. */
export function slugGiver(): (wanted: string) => string {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (wanted) => {
    let slug = wanted;
    if (taken.has(wanted)) {
      let number = next.get(wanted) ?? 1;
      while (taken.has(`${wanted}-${number}`)) number += 1;
      next.set(wanted, number + 1);
      slug = `${wanted}-${number}`;
    }
    taken.add(slug);
    return slug;
  };
}

/** Without dashes and dots at both ends, by hand: a regex would be quadratic on long runs. */
function trimDashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && "-.".includes(text[start]!)) start += 1;
  while (end > start && "-.".includes(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
