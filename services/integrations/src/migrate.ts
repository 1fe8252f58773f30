import { migrateCommand } from "@octavo/shared/commands/migrate";
import { migrations } from "./migrations.js";

await migrateCommand("integrations", migrations);
