import type { Attack } from "./attack.js";
import { documents } from "./documents.js";
import { foreignIds } from "./foreign-ids.js";
import { forgedEvents } from "./forged-events.js";
import { generated } from "./generated.js";
import { imports } from "./imports.js";
import { jsonShapes } from "./json-shapes.js";
import { repositories } from "./repositories.js";
import { unfinishedBodies } from "./unfinished-bodies.js";
import { widening } from "./widening.js";

/** In the order in which they are run. */
export const attacks: Attack[] = [
  unfinishedBodies,
  jsonShapes,
  documents,
  repositories,
  imports,
  foreignIds,
  forgedEvents,
  widening,
  generated,
];
