import { listeners as audience } from "./library/audience/listeners.js";
import { listeners as access } from "./library/grants/listeners.js";
import { listeners as people } from "./people/listeners.js";
import { listeners as requestedReviewers } from "./review/requested-reviewers/listeners.js";

/** All that content listens to. */
export const subscriptions = [...access, ...audience, ...people, ...requestedReviewers];
