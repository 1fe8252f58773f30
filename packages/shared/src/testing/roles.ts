import { type Level, ROLES } from "../contracts/roles.js";

/** What each role lets do that none below it does, by the names of the actions in their order; `stranger` is no role. */
export function actionsByRole<Action extends string>(
  permits: (level: Level, action: Action) => boolean,
  actions: Action[],
): Record<string, Action[]> {
  const levels: [name: string, level: Level][] = [
    ["stranger", undefined],
    ["guest", null],
    ...ROLES.map((role) => [role, role] as [string, Level]),
  ];
  const permitted = levels.map(([, level]) => actions.filter((action) => permits(level, action)));
  const added = levels.map(([name], at): [string, Action[]] => [
    name,
    permitted[at]!.filter((action) => !permitted[at - 1]?.includes(action)),
  ]);
  return Object.fromEntries(added.filter(([, some]) => some.length > 0));
}
