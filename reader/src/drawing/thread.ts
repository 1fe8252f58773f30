import { serve } from "@octavo/shared/workers/serve";
import { tasks } from "./tasks.js";

serve(tasks);
