// @ts-check
// What pages gain by scripts: everything is there without them.

import "./scripts/theme.js";
import "./scripts/copy.js";
import "./scripts/tabs.js";
import "./scripts/anchors.js";
import "./scripts/outline.js";
import "./scripts/sidebar-place.js";
import "./scripts/films.js";
import "./scripts/search.js";
import "./scripts/feedback.js";
import "./scripts/tree.js";
import "./scripts/images.js";
