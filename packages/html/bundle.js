// Joins what browsers load of documents, for the build.
import { joinAssets } from "./join-assets.js";

await joinAssets(new URL("./", import.meta.url));
