import type { Material } from "./material.js";

/** The address of an image that is its content: its type, and how it is written. */
const DATA = /^data:image\/([a-z]{1,10})[\w.+-]{0,30}((?:;[\w=-]{1,60}){0,5}),/i;
/** What no path of a source begins with. */
const PREFIX = "data:";

/** A source, with the images that its texts hold as addresses (`data:`) as files of it. */
export function withDataImages(material: Material): Material {
  const paths = new Map<string, string>();
  const addresses = new Map<string, string>();
  const pathOf = (address: string): string | undefined => {
    const known = paths.get(address);
    const [head, type] = DATA.exec(address) ?? [];
    if (known !== undefined || head === undefined) return known;
    const path = `${PREFIX}image-${paths.size + 1}.${type!.toLowerCase()}`;
    paths.set(address, path);
    addresses.set(path, address);
    return path;
  };
  return {
    ...material,
    resolve: (from, address) => {
      if (!address.startsWith(PREFIX)) return material.resolve(from, address);
      const path = pathOf(address);
      return path === undefined ? undefined : { path };
    },
    nameOf: (path) => (addresses.has(path) ? path.slice(PREFIX.length) : material.nameOf?.(path)),
    file: async (path) => {
      const address = addresses.get(path);
      return address === undefined ? material.file(path) : contentOf(address);
    },
  };
}

function contentOf(address: string): Buffer | undefined {
  const [head = "", , parameters = ""] = DATA.exec(address) ?? [];
  const data = address.slice(head.length);
  if (/;base64$/i.test(parameters)) return Buffer.from(data, "base64");
  try {
    return Buffer.from(decodeURIComponent(data));
  } catch {
    return undefined;
  }
}
