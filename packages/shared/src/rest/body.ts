import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Refusal, refuse, refuseAt } from "../errors.js";
import { type Gathered, gather } from "./gather.js";
import { jsonProblem } from "./json-bounds.js";
import { type Parsed, parseJson } from "./json-parse.js";

/** Most bytes of a body, where an operation declares nothing else. */
export const SMALL_BODY = 256 * 1024;

/** Reads a JSON object from the body; an absent body is `{}`. Refuses with 400, 413 and 415. */
export async function readBody(req: IncomingMessage, limit: number): Promise<Record<string, unknown>> {
  return parseBody(req, await readBytes(req, limit));
}

/**
 * The JSON object that the bytes of a body hold, none being `{}`; `parse` may do it elsewhere. Refuses with 400 and 415.
 */
export async function parseBody(
  req: IncomingMessage,
  bytes: Buffer,
  parse: (bytes: Buffer) => Parsed | Promise<Parsed> = parseJson,
): Promise<Record<string, unknown>> {
  if (bytes.length === 0) return {};
  checkMedia(req.headers);
  const parsed = await parse(bytes);
  if ("problem" in parsed) refuseAt("body", parsed.problem);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuseAt("body", "expected an object");
  return value as Record<string, unknown>;
}

/** Reads the fields of a form that a browser posts, percent-encoded. Refuses with 400, 413 and 415. */
export async function readForm(req: IncomingMessage, limit: number): Promise<URLSearchParams> {
  const bytes = await readBytes(req, limit);
  checkMedia({ ...req.headers, "content-type": req.headers["content-type"] ?? "none" }, FORM);
  let fields = 1;
  for (const byte of bytes) if (byte === AMPERSAND) fields++;
  if (fields > MOST_FIELDS) refuseAt("body", `holds more than ${MOST_FIELDS} fields`);
  try {
    return new URLSearchParams(utf8.decode(bytes));
  } catch {
    refuseAt("body", "is not valid UTF-8");
  }
}

/**
 * The bytes of a body; 413 beyond the limit. What is beyond is read and dropped: a client that still writes would not see a response
 * otherwise.
 */
export function readBytes(
  req: IncomingMessage,
  limit: number,
  reserve: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
    let gathered: Gathered | undefined = gather(limit);
    req.on("data", (piece: Buffer) => {
      if (!gathered) return;
      try {
        if (gathered.length + piece.length > limit) throw tooLarge(limit);
        gathered.add(piece);
        reserve(gathered.room);
      } catch (error) {
        gathered = undefined;
        reject(error);
      }
    });
    req.once("end", () => gathered && resolve(gathered.bytes()));
    req.once("error", (cause) => reject(new Refusal("BAD_REQUEST", "body: ended too early", { cause })));
  });
}

const JSON_MEDIA = { name: "application/json", pattern: /^\s*application\/json\s*(;.*)?$/i };
const FORM = {
  name: "application/x-www-form-urlencoded",
  pattern: /^\s*application\/x-www-form-urlencoded\s*(;.*)?$/i,
};
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8|us-ascii)/i;

function checkMedia(
  { "content-type": type, "content-encoding": encoding = "identity" }: IncomingHttpHeaders,
  { name, pattern } = JSON_MEDIA,
) {
  if (type !== undefined && (!pattern.test(type) || OTHER_CHARSET.test(type)))
    refuse("UNSUPPORTED_MEDIA_TYPE", `Content-Type: expected ${name}, not ${type.slice(0, 100)}`);
  if (encoding.toLowerCase() !== "identity")
    refuse("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding: a body has to be sent as it is");
}

const AMPERSAND = 0x26;
const MOST_FIELDS = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Refuses JSON that would take too much to parse: 400 with the reason. */
export function checkJson(bytes: Buffer): void {
  const problem = jsonProblem(bytes);
  if (problem) refuseAt("body", problem);
}

const tooLarge = (limit: number) =>
  new Refusal("PAYLOAD_TOO_LARGE", `body: larger than ${limit} bytes`, { reason: "body_too_large" });
