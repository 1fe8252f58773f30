import { promisify } from "node:util";
import { gunzipSync, gzip, gzipSync } from "node:zlib";
import { inTurns } from "../workers/yield.js";
import { jsonPieces } from "./json-pieces.js";

/** Characters of a large body that are made in one go. */
const PIECE = 65_536;
/** Where time and size balance: higher levels take twice the time for a tenth of the size. */
const LEVEL = 1;
/** Fewer bytes are sent as they are: they fill one packet either way. */
const LEAST = 1_000;
const compress = promisify(gzip);

/** Bytes up to which a body is packed: in some milliseconds at most. */
const MOST_PACKED = 256 * 1024;

/** A value as the bytes of its JSON, which a service may keep and send again and again. */
export class WrittenJson {
  /** Bytes of the JSON. */
  readonly length: number;
  #pieces: readonly Buffer[] | undefined;
  #packed: Buffer | undefined;
  #sent = 0;
  #gzipped: Promise<Buffer> | undefined;

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The bytes of the JSON, in pieces. */
  get pieces(): readonly Buffer[] {
    return this.#pieces ?? [gunzipSync(this.#packed!)];
  }

  /** About how many bytes of memory it takes, with the compressed form that some clients are sent. */
  get held(): number {
    return this.#packed?.length ?? Math.ceil(1.25 * this.length);
  }

  /** Holds on to the compressed form alone, a third of the bytes or less. Few bytes, and very many, stay as they are. */
  pack(): this {
    if (this.length < LEAST || this.length > MOST_PACKED || this.#packed) return this;
    this.#packed = gzipSync(Buffer.concat(this.pieces), { level: LEVEL });
    this.#pieces = undefined;
    return this;
  }

  /**
   * The bytes compressed, once for all who are sent them; undefined for few, and the first time, when nobody knows
   * whether they will be sent again: what is sent once is compressed on its way.
   */
  gzipped(): Promise<Buffer> | undefined {
    if (this.#packed) return Promise.resolve(this.#packed);
    this.#sent += 1;
    if (this.#sent === 1 || this.length < LEAST) return undefined;
    this.#gzipped ??= compress(Buffer.concat(this.pieces), { level: LEVEL });
    return this.#gzipped;
  }

  /** The value that was written, as whoever is sent the bytes reads it. */
  parse(): unknown {
    return JSON.parse(Buffer.concat(this.pieces).toString("utf8"));
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
