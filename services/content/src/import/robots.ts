/** What a `robots.txt` says to us. */
export interface Robots {
  allows(path: string): boolean;
  sitemaps: string[];
}

const MOST_RULES = 2000;

/** Reads a `robots.txt`: the group for `octavo`, else the one for everybody. Source: RFC 9309. */
export function readRobots(text: string): Robots {
  const groups = new Map<string, { allow: boolean; path: string }[]>();
  const sitemaps: string[] = [];
  let names: string[] = [];
  let isOpen = false;
  let count = 0;
  for (const line of text.slice(0, 500_000).split(/\r\n?|\n/)) {
    const [, field = "", value = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === "sitemap") sitemaps.push(value.trim());
    else if (name === "user-agent") {
      if (!isOpen) names = [];
      isOpen = true;
      names.push(value.trim().toLowerCase());
      for (const one of names) if (!groups.has(one)) groups.set(one, []);
    } else if ((name === "allow" || name === "disallow") && names.length > 0) {
      isOpen = false;
      const path = value.trim();
      if (path === "" || count === MOST_RULES) continue;
      count += 1;
      for (const one of names) groups.get(one)!.push({ allow: name === "allow", path });
    }
  }
  const rules = groups.get("octavo") ?? groups.get("*") ?? [];
  return {
    sitemaps: sitemaps.slice(0, 20),
    allows: (path) => {
      const matching = rules.filter((rule) => matches(rule.path, path));
      const longest = Math.max(0, ...matching.map((rule) => rule.path.length));
      const best = matching.filter((rule) => rule.path.length === longest);
      return best.length === 0 || best.some(({ allow }) => allow);
    },
  };
}

/** Whether a path begins as a rule says, in which `*` stands for anything and a last `$` for the end. */
function matches(rule: string, path: string): boolean {
  const isWhole = rule.endsWith("$");
  const [first = "", ...parts] = (isWhole ? rule.slice(0, -1) : rule).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = isWhole && index === parts.length - 1;
    const found = isLast ? path.length - part.length : path.indexOf(part, at);
    if (found < at || !path.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}
