import { serve } from "@octavo/shared/workers/serve";
import { respond } from "./respond.js";

serve({ respond });
