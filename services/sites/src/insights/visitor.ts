// What a browser says of itself, in the words of the interface. What matches none of the patterns is `unknown`.

type Pattern<Word extends string> = [Word, RegExp];

/** The first that matches counts: other browsers name Chrome and Safari as well. */
const BROWSERS: Pattern<"edge" | "ie" | "firefox" | "chrome" | "safari">[] = [
  ["edge", /\bEdg(e|A|iOS)?\//],
  ["ie", /\b(MSIE |Trident\/)/],
  ["firefox", /\b(Firefox|FxiOS)\//],
  ["chrome", /\b(Chrome|CriOS|Chromium)\//],
  ["safari", /\bSafari\//],
];
const SYSTEMS: Pattern<"ios" | "android" | "windows" | "macos" | "linux">[] = [
  ["ios", /\b(iPhone|iPad|iPod)\b/],
  ["android", /\bAndroid\b/],
  ["windows", /\bWindows\b/],
  ["macos", /\b(Macintosh|Mac OS X)\b/],
  ["linux", /\b(Linux|X11|CrOS)\b/],
];
const DEVICES: Pattern<"tablet" | "mobile" | "desktop">[] = [
  ["tablet", /\b(iPad|Tablet)\b|\bAndroid\b(?!.*\bMobile\b)/],
  ["mobile", /\b(Mobile|iPhone|iPod)\b/],
  ["desktop", /\b(Windows|Macintosh|X11|CrOS|Linux)\b/],
];
const BOTS: Pattern<
  "googlebot" | "bingbot" | "duckduckbot" | "facebookbot" | "applebot" | "chatgpt" | "anthropic" | "unknown"
>[] = [
  ["googlebot", /\b(Googlebot|Google-Extended|GoogleOther)\b/i],
  ["bingbot", /\bbingbot\b/i],
  ["duckduckbot", /\bDuckDuck(Bot|Go-Favicons-Bot|AssistBot)\b/i],
  ["facebookbot", /\b(facebookexternalhit|FacebookBot|meta-externalagent)\b/i],
  ["applebot", /\bApplebot\b/i],
  ["chatgpt", /\b(ChatGPT-User|GPTBot|OAI-SearchBot)\b/i],
  ["anthropic", /\b(ClaudeBot|Claude-(User|Web|SearchBot)|anthropic-ai)\b/i],
  ["unknown", /bot\b|\b(crawler|spider|curl|wget)\b/i],
];

const first = <Word extends string>(patterns: Pattern<Word>[], agent: string): Word | undefined =>
  patterns.find(([, pattern]) => pattern.test(agent))?.[0];

/** What a user agent says of its visitor; `bot` is null for what is taken to be a person. */
export const visitorOf = (agent: string) => ({
  browser: first(BROWSERS, agent) ?? ("unknown" as const),
  os: first(SYSTEMS, agent) ?? ("unknown" as const),
  device: first(DEVICES, agent) ?? ("unknown" as const),
  bot: first(BOTS, agent) ?? null,
});
