// A lone surrogate leaves JSON.stringify as an escape, an even number of backslashes before it.
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** A value as text for a jsonb column, which refuses broken Unicode: what is broken becomes U+FFFD. */
export const jsonb = (value: unknown): string => JSON.stringify(value).replaceAll(LONE_SURROGATE, "$1\ufffd");
