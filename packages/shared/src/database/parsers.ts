import pg from "pg";

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const INT8_ARRAY = 1016;
const TIMESTAMPTZ_ARRAY = 1185;
const TEXT_ARRAY = 1009;

/** How our connections read columns, without touching the parsers of anybody else in the process. */
export const parsers: pg.CustomTypesConfig = { getTypeParser: parserOf as typeof pg.types.getTypeParser };

type Parser = (value: string) => unknown;
const textArray = pg.types.getTypeParser(TEXT_ARRAY as never) as (value: string) => (string | null)[];
/** Parsers of texts by type, ours and those that were asked for. */
const ofText = new Map<number, Parser>([
  [TIMESTAMPTZ, isoTime],
  [INT8, safeInteger],
  [TIMESTAMPTZ_ARRAY, (value) => textArray(value).map((item) => (item === null ? null : isoTime(item)))],
  [INT8_ARRAY, (value) => textArray(value).map((item) => (item === null ? null : safeInteger(item)))],
]);

function parserOf(oid: number, format?: "text" | "binary"): Parser {
  if (format === "binary") return pg.types.getTypeParser(oid as never, format as "text") as Parser;
  // Each column of each result asks for its parser.
  let parser = ofText.get(oid);
  if (!parser) {
    parser = pg.types.getTypeParser(oid as never, "text") as Parser;
    ofText.set(oid, parser);
  }
  return parser;
}

/** `2026-11-21 06:11:29.1+00` (the session is in UTC) to `2026-11-21T06:11:29.100Z`; infinities stay. */
export function isoTime(value: string): string {
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(value);
  if (!parts) return value;
  const [, day, time, fraction = ""] = parts;
  return `${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
}

function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint ${value} does not fit a number`);
  return number;
}
