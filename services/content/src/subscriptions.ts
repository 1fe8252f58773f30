import { listeners as audience } from "./audience/listeners.js";
import { listeners as access } from "./grants/listeners.js";
import { listeners as people } from "./people/listeners.js";
import { listeners as requestedReviewers } from "./requested-reviewers/listeners.js";

/** All that content listens to. */
export const subscriptions = [...access, ...audience, ...people, ...requestedReviewers];
