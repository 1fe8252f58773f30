import type { Page } from "@octavo/html/page";
import { type Rendered, renderInTime } from "@octavo/html/render";
import { linksOn } from "../links.js";
import { wordsIn } from "../words/index.js";
import { type Given, linkedIn } from "./given.js";

/** Draws a document; descriptions of operations are drawn as they are written without what reads them. */
export function drawGiven(given: Given, read?: Page["read"]): Rendered {
  const { document, place, site, time } = given;
  const { space, referred } = linkedIn(given);
  const words = wordsIn(site.spoken);
  return renderInTime(document, { ...linksOn(place, { ...site, words }, space, referred), read }, { time });
}

/** What is drawn on a thread. */
export const tasks = {
  async draw(given: Given): Promise<Rendered> {
    if (given.operations.length === 0) return drawGiven(given);
    // What reads their descriptions is loaded by the first page that shows any.
    const { read } = await import("@octavo/html/read");
    return drawGiven(given, read);
  },
};
