import { stuckCommand } from "@octavo/shared/commands/stuck";

await stuckCommand("integrations");
