import { writeOpenApi } from "@octavo/shared/rest/write-openapi";
import { rawRoutes, router } from "./router.js";

// Run by the build, once the modules are written.

writeOpenApi(import.meta.url, router, rawRoutes);
