import { hasTooManyLines, MOST_LINES } from "@octavo/markdown/blocks/lines";
import { othersTurn } from "@octavo/shared/workers/yield";
import { GitError } from "./failure.js";

/** Bytes that are decoded in one go. */
const PIECE = 1024 * 1024;

/** The text of a file, decoded with turns for others in between. Throws GitError when it is none, or has too many lines. */
export async function decode(content: Buffer, path: string): Promise<string> {
  const text = await textOf(content);
  if (text === undefined || text.includes("\0")) throw new GitError(`${path} is not text in UTF-8`);
  if (hasTooManyLines(text)) throw new GitError(`${path} has more than ${MOST_LINES} lines`);
  return text;
}

/** Letters beyond Latin take more than ten times as long as others. */
async function textOf(content: Buffer): Promise<string | undefined> {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  let at = 0;
  try {
    for (; content.length - at > PIECE; at += PIECE) {
      text += utf8.decode(content.subarray(at, at + PIECE), { stream: true });
      await othersTurn();
    }
    return text + utf8.decode(content.subarray(at));
  } catch {
    return undefined;
  }
}
