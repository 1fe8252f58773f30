import type { Stack } from "../../tests/harness/stack.js";
import type { Check } from "./check.js";
import { keyboard, noScript } from "./checks/accessibility.js";
import { addresses } from "./checks/addresses.js";
import { audiences } from "./checks/audiences.js";
import { accessible } from "./checks/axe.js";
import { type Api, code, operations } from "./checks/blocks.js";
import { complete } from "./checks/complete.js";
import { machines } from "./checks/formats.js";
import { fresh } from "./checks/fresh.js";
import { hostile } from "./checks/hostile.js";
import { layout } from "./checks/layout.js";
import { lighthouse } from "./checks/lighthouse.js";
import { quiet, weight } from "./checks/loading.js";
import { paper } from "./checks/paper.js";
import { search } from "./checks/search.js";
import { speed } from "./checks/speed.js";
import { variants } from "./checks/variants.js";
import { whole } from "./checks/whole.js";

/** What some of the checks are made with. */
export interface Tools {
  stack: Stack;
  api: Api;
  /** Addresses at which another renderer shows the folders. */
  same: readonly string[];
}

/** The checks by their numbers, in the order in which they run: the last one changes pages and ends a server. */
export const CHECKS: readonly (readonly [number: number, make: (tools: Tools) => Check])[] = [
  [1, () => whole],
  [2, ({ same }) => complete(same)],
  [3, () => noScript],
  [4, () => keyboard],
  [5, () => search],
  [6, () => accessible],
  [7, () => layout],
  [8, () => quiet],
  [9, () => weight],
  [10, () => lighthouse],
  [11, ({ stack }) => speed(stack)],
  [13, () => addresses],
  [14, () => variants],
  [15, () => code],
  [16, ({ api }) => operations(api)],
  [17, () => machines],
  [18, () => audiences],
  [19, () => hostile],
  [20, ({ stack }) => paper(stack)],
  [12, ({ stack }) => fresh(stack)],
];
