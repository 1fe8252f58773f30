/** What is stored of a look: groups of settings, one in the other, and values. */
export interface Stored {
  [key: string]: unknown;
}

/** Groups, whose settings are overridden one by one; everything else is a value as a whole. */
const GROUPS = new Set([
  "styling",
  "styling.sidebar",
  "internationalization",
  "header",
  "footer",
  "themes",
  "pdf",
  "feedback",
  "git",
  "externalLinks",
  "pagination",
  "trademark",
  "privacyPolicy",
  "socialPreview",
]);

const isObject = (value: unknown): value is Stored =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns overrides with a change: what the change leaves out stays, what it has as null is overridden no more. */
export function changedBy(overrides: Stored, change: Stored, path = ""): Stored {
  const result = { ...overrides };
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const at = `${path}${key}`;
    const now = GROUPS.has(at) && isObject(value) ? groupOf(result[key], value, at) : value;
    if (now === null) delete result[key];
    else result[key] = now;
  }
  return result;
}

function groupOf(before: unknown, change: Stored, at: string): Stored | null {
  const group = changedBy(isObject(before) ? before : {}, change, `${at}.`);
  return Object.keys(group).length > 0 ? group : null;
}

/** Returns a look with what is overridden in it; the overrides hold whole values, and groups of them. */
export function overriddenBy<Look extends object>(look: Look, overrides: Stored, path = ""): Look {
  const result: Stored = Object.fromEntries(Object.entries(look));
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    const at = `${path}${key}`;
    const group = GROUPS.has(at) && isObject(value) && isObject(result[key]);
    result[key] = group ? overriddenBy(result[key] as Stored, value, `${at}.`) : value;
  }
  // Cast: overrides were read by a schema that has the same fields.
  return result as Look;
}

/** Where the settings lie that the interface counts as advanced customization. */
const ADVANCED = [
  "header.logo",
  "footer.logo",
  "footer.groups",
  "footer.copyright",
  "styling.theme",
  "styling.infoColor",
  "styling.successColor",
  "styling.warningColor",
  "styling.dangerColor",
  "favicon.icon",
];

/** Whether overrides have settings of what the interface calls advanced customization. */
export const isAdvanced = (overrides: Stored): boolean =>
  ADVANCED.some((path) => {
    const value = path
      .split(".")
      .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), overrides);
    return value !== undefined;
  });
