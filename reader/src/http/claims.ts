// What a visitor claims without proof: by parameters of the address, and by cookies that somebody else set for the site.

/** Claims by their names, others in them. Names are free, so nothing of this has a prototype where it is put together. */
export type Claims = Record<string, unknown>;

const PARAMETER = "visitor.";
const PUBLIC_COOKIE = "gitbook-visitor-public";
/** Parameters and cookies that are read. */
const [MOST_PARAMETERS, MOST_COOKIES] = [50, 10];
/** Claims in each other, and characters of the name of one. */
const [DEEPEST, LONGEST_NAME] = [5, 100];
/** Bytes of claims as JSON: they travel in a cookie, and with what is asked of sites. */
const MOST_BYTES = 2_048;

const isObject = (value: unknown): value is Claims =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The claims in the parameters of an address, as paths with values. Those behind the fiftieth do not count. */
export function claimsIn(parameters: URLSearchParams): [string[], unknown][] {
  const found: [string[], unknown][] = [];
  for (const [name, value] of parameters) {
    if (!name.startsWith(PARAMETER) || found.length === MOST_PARAMETERS) continue;
    const path = name.slice(PARAMETER.length).split(".");
    const isPath = path.length <= DEEPEST && path.every((one) => one !== "" && one.length <= LONGEST_NAME);
    if (isPath) found.push([path, valueIn(value)]);
  }
  return found;
}

const WORDS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);

/** What a parameter says: a word of JavaScript, a number or an object of JSON, else a text. */
function valueIn(text: string): unknown {
  if (WORDS.has(text)) return WORDS.get(text);
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return objectIn(text) ?? text;
}

/** The object that a text is as JSON; undefined for any other. */
export function objectIn(text: string): Claims | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Claims;
  } catch {
    return undefined;
  }
}

/** The claims in cookies whose names begin with `gitbook-visitor-public`: objects of JSON, of which a later one counts. */
export function publicClaims(cookies: ReadonlyMap<string, string>): Claims {
  const given = [...cookies].filter(([name]) => name.startsWith(PUBLIC_COOKIE)).slice(0, MOST_COOKIES);
  return Object.assign(Object.create(null), ...given.map(([, value]) => objectIn(decoded(value)) ?? {}));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Claims with others put into them by their paths; what is `undefined` there is claimed no more. */
export function withClaims(claims: Claims, paths: [string[], unknown][]): Claims {
  const all: Claims = Object.assign(Object.create(null), claims);
  for (const [path, value] of paths) {
    let within = all;
    for (const name of path.slice(0, -1)) {
      const known = Object.hasOwn(within, name) ? within[name] : undefined;
      const inner: Claims = Object.assign(Object.create(null), isObject(known) ? known : {});
      within[name] = inner;
      within = inner;
    }
    within[path.at(-1)!] = value;
  }
  return all;
}

/** Claims as JSON; undefined where there are none, or more than count. */
export function jsonOf(claims: Claims): string | undefined {
  const json = JSON.stringify(claims);
  return json === "{}" || Buffer.byteLength(json) > MOST_BYTES ? undefined : json;
}
