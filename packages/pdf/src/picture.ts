import { percentIn, pixelsIn } from "@octavo/html/data";
import type { Data } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Picture } from "./element.js";
import type { Scope } from "./scope.js";

interface Shown {
  ref: Ref | undefined;
  alt: string;
  /** Where it says how large it is. */
  data?: Data;
}

/** An image with its size; undefined when it is none, or lies elsewhere: nothing is fetched for a PDF. */
export function picture({ ref, alt, data }: Shown, scope: Scope): Picture | undefined {
  const found = scope.image(ref);
  if (!found) return undefined;
  const [width, height] = [pixelsIn(data, "width"), pixelsIn(data, "height")];
  const share = percentIn(data, "width");
  return {
    file: found.file,
    alt: alt || found.file,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(share !== undefined && { share }),
  };
}
