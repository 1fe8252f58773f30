import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NodeCompiler, type NodeError } from "@myriaddreamin/typst-ts-node-compiler";
import type { Sheet } from "./book.js";
import { fontFolders } from "./fonts.js";
import { sound } from "./words.js";

/** A sheet that could not be set. */
export class NotTypeset extends Error {}

interface Options {
  /** The folder that the images lie in. */
  folder: string;
  /** Those of the sheet that are there. */
  images: string[];
  /** The standard that the PDF has to follow, as `ua-1`. */
  standard?: string;
}

const SOURCES = fileURLToPath(new URL("../typst/", import.meta.url));

/**
 * Sets a sheet as a PDF: tagged, with an outline and its fonts. What users wrote reaches the typesetter as data, and its
 * program is the same for all. Images that it cannot read are left out. Takes all of the thread while it works.
 */
export function typeset(sheet: Sheet, { folder, images: there, standard }: Options): Buffer {
  const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: fontFolders() }] });
  for (const name of readdirSync(SOURCES))
    compiler.mapShadow(join(folder, "octavo", name), readFileSync(join(SOURCES, name)));
  const give = (data: unknown) =>
    compiler.mapShadow(join(folder, "octavo", "sheet.json"), Buffer.from(jsonOf(data)));

  const isReadable = (image: string): boolean => {
    give({ image });
    const main = '#image("/" + json("/octavo/sheet.json").image)';
    return compiler.compile({ mainFileContent: main, resetRead: true }).result !== null;
  };
  const images = Object.fromEntries(there.map((image) => [image, true]));
  const set = (): Buffer | string => {
    give({ ...sheet, images });
    const main = '#import "/octavo/main.typ": book\n#book(json("/octavo/sheet.json"))';
    const made = compiler.compile({ mainFileContent: main, resetRead: true });
    if (!made.result) return failureOf(compiler, made.takeError() ?? made.takeDiagnostics());
    return compiler.pdf(made.result, standard === undefined ? undefined : { pdfStandard: standard });
  };

  const first = set();
  if (typeof first !== "string") return first;
  for (const image of there) images[image] = isReadable(image);
  const second = there.length > 0 ? set() : first;
  if (typeof second === "string") throw new NotTypeset(second);
  return second;
}

const jsonOf = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === "string" ? sound(value) : value));

function failureOf(compiler: NodeCompiler, error: NodeError | null): string {
  if (!error) return "the typesetter gave no reason";
  const messages = compiler.fetchDiagnostics(error) as { message?: string }[];
  return messages.map(({ message }) => message).join("; ") || error.kind;
}
