import { inTurns } from "../workers/yield.js";
import { jsonPieces } from "./json-pieces.js";

/** Characters of a large body that are made in one go. */
const PIECE = 65_536;

/** A value as the bytes of its JSON, which a service may keep and send again and again. */
export class WrittenJson {
  readonly pieces: readonly Buffer[];
  readonly length: number;

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Writes a value as JSON, with turns for others in between. */
export const writeJson = async (value: unknown): Promise<WrittenJson> =>
  new WrittenJson(await inTurns(encoded(value)));

function* encoded(value: unknown): Generator<void, Buffer[]> {
  const pieces: Buffer[] = [];
  let open = "";
  for (const piece of jsonPieces(value)) {
    open += piece;
    if (open.length < PIECE) continue;
    pieces.push(Buffer.from(open));
    open = "";
    yield;
  }
  pieces.push(Buffer.from(open));
  return pieces;
}
