/** A file that pages load: its name holds its hash, so that it never changes. */
export interface Asset {
  type: string;
  readonly body: Buffer;
  brotli?: Buffer;
}
