import { deadLettersCommand } from "@octavo/shared/commands/dead-letters";

await deadLettersCommand("orgs");
