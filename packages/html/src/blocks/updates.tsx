import type { Block } from "@octavo/markdown/document/nodes";
import { listIn, textIn } from "../data.js";
import { dayIn } from "../dates.js";
import type { Html, Scope } from "../scope.js";

/** What changed, the newest first as its authors have it. */
export const updates = ({ nodes }: Block, scope: Scope): Html => (
  <div class="updates">{scope.blocks(nodes)}</div>
);

/** What changed on a day, and of which kind that is. */
export function update({ data, nodes }: Block, scope: Scope): Html {
  const date = textIn(data, "date");
  const machine = date && /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0];
  const tags = listIn(data, "tags").flatMap((ref) => {
    const tag = (ref as { tag?: unknown } | null)?.tag;
    return typeof tag === "string" ? [tag] : [];
  });
  return (
    <article class="update">
      <header>
        {date !== undefined && (
          <time datetime={machine || undefined}>
            {(machine && dayIn(scope.page.words.dates, machine)) ?? date}
          </time>
        )}
        {tags.map((tag) => (
          <span class="tag">{tag}</span>
        ))}
      </header>
      <div>{scope.blocks(nodes)}</div>
    </article>
  );
}
