import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Book } from "./book.js";
import { drawBook } from "./draw.js";
import { type PressMessage, type ProcessMessage, RESULT } from "./messages.js";
import { typeset } from "./typeset.js";
import { TOO_LARGE, watchOver } from "./watch.js";

/** Makes one PDF of the parts that the process which started this one sends, in the folder that it names. */
export function serve<Part>(bookOf: (parts: Part[]) => Book): void {
  const [folder = "", memory = "0"] = process.argv.slice(2);
  const parts: Part[] = [];
  let sheet: ReturnType<typeof drawBook> | undefined;
  const say = (message: ProcessMessage) => process.send!(message);
  process.on("message", (message: PressMessage) => {
    try {
      if (message === "drawn") {
        sheet = drawBook(bookOf(parts));
        parts.length = 0;
        say({ images: sheet.images });
      } else if (message === "images") {
        const images = sheet!.images.filter((image) => existsSync(join(folder, image)));
        writeFileSync(join(folder, RESULT), typeset(sheet!, { folder, images }));
        say("done");
      } else parts.push(message.part as Part);
    } catch (error) {
      say({ failure: String((error as Error).message).slice(0, 1000) });
    }
  });
  process.on("disconnect", () => process.exit());
  // What is sent before somebody listens may be lost.
  void watchOver(Number(memory) * 1024 * 1024, join(folder, TOO_LARGE)).then(() => say("ready"));
}
