import { isSet, refIn, textIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import type { Html, Scope } from "../scope.js";
import type { Column, Row, Table } from "../table-data.js";
import { linkUrl } from "../urls.js";
import { cell, columnTitle, imageCell } from "./cells.js";

/** A table as cards, each of which leads as a whole to its target. */
export function cards({ view, columns, columnOf, rows }: Table, scope: Scope): Html {
  const column = (name: string) => columnOf(textIn(view, name) ?? "")[0];
  const [target, light, dark] = [
    column("targetDefinition"),
    column("coverDefinition"),
    column("coverDefinitionDark"),
  ];
  const special = [target, light, dark].map((one) => one?.id);
  const shown = columns.filter(({ id }) => !special.includes(id));
  const titled = view.hideColumnTitle !== undefined && !isSet(view, "hideColumnTitle");
  return (
    <div class={textIn(view, "cardSize") === "large" ? "cards large" : "cards"}>
      {rows.map((row) => (
        <div class="card">
          {cover(row, light, dark, scope)}
          {target && cardTarget(row, target, scope)}
          {shown.map((one) => {
            const inner = cell(row, one, scope);
            if (isNothing(inner)) return undefined;
            return (
              <div>
                {titled && <small>{columnTitle(one, scope)}</small>}
                {inner}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

const isNothing = (drawn: Html): boolean =>
  drawn === undefined || drawn === false || (Array.isArray(drawn) && drawn.every((one) => isNothing(one)));

function cover({ values }: Row, light: Column | undefined, dark: Column | undefined, scope: Scope): Html {
  const shown = light && imageCell(values, light.id, "", scope, dark ? "cover on-light" : "cover");
  const other = dark && imageCell(values, dark.id, "", scope, light ? "cover on-dark" : "cover");
  return [shown, other];
}

/** The link over the whole card; its name is the page's, for the card says the rest. */
function cardTarget({ values }: Row, { id }: Column, scope: Scope): Html {
  const ref = refIn(values, id);
  const target = ref && scope.page.link(ref);
  const href = target && linkUrl(target.href);
  return (
    href !== undefined && (
      <a class="card-target" href={href} {...externalLinkAttributes(href, scope.page)}>
        <span class="hidden">{target!.title ?? href}</span>
      </a>
    )
  );
}
