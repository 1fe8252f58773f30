import type { Permissions } from "../contracts/permissions.js";
import { type Level, ROLES } from "../contracts/roles.js";

/**
 * What each role lets do that none below it does, by the names of the actions in their order; `stranger` is no role.
 * Throws for an action that does not take the role that its refusal names.
 */
export function actionsByRole<Table extends Permissions>(
  permits: (level: Level, action: keyof Table & string) => boolean,
  table: Table,
): Record<string, (keyof Table & string)[]> {
  const actions = Object.keys(table) as (keyof Table & string)[];
  const levels: [name: string, level: Level][] = [
    ["stranger", undefined],
    ["guest", null],
    ...ROLES.map((role): [string, Level] => [role, role]),
  ];
  const byRole: Record<string, (keyof Table & string)[]> = {};
  for (const action of actions) {
    const [lowest] = levels.find(([, level]) => permits(level, action)) ?? ["nobody"];
    const named = String(table[action]);
    if (named !== lowest) throw new Error(`${action} is for ${lowest}, and names ${named}`);
    byRole[lowest] = [...(byRole[lowest] ?? []), action];
  }
  return byRole;
}
