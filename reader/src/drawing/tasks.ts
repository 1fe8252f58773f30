import { type Rendered, renderInTime } from "@octavo/html/render";
import { linksOn } from "../links.js";
import { wordsIn } from "../words/index.js";
import { type Given, linkedIn } from "./given.js";

/** What is drawn on a thread, or at once. */
export const tasks = {
  draw(given: Given): Rendered {
    const { document, place, site, time } = given;
    const { space, referred } = linkedIn(given);
    const words = wordsIn(site.spoken);
    return renderInTime(document, linksOn(place, { ...site, words }, space, referred), { time });
  },
};
