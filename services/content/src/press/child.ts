import { serve } from "@octavo/pdf/serve";
import { bookOf } from "./parts.js";

serve(bookOf);
