/** A file that pages load: its name holds its hash, so that it never changes. */
export interface Asset {
  type: string;
  /** Bytes of the body. */
  length: number;
  /** Undefined for a large file that was compressed: nearly all clients take that. */
  readonly body: Buffer | undefined;
  brotli?: Buffer;
}
