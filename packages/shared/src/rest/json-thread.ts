import { serve } from "../workers/serve.js";
import { parseJson } from "./json-parse.js";

serve({
  parseJson: ({ buffer, byteOffset, length }: Uint8Array) =>
    parseJson(Buffer.from(buffer, byteOffset, length)),
});
