import type { Block } from "@octavo/markdown/document/nodes";
import { listIn, oneOf, refIn, textIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import { drawOperation, drawWebhook } from "../openapi/operation.js";
import { drawSchemas, schemaOf } from "../openapi/schemas.js";
import type { Html, Scope } from "../scope.js";
import { linkUrl } from "../urls.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** An operation of an API by its method and path, and the specification that describes it. */
export function operation({ data }: Block, scope: Scope): Html {
  const method = oneOf(METHODS, textIn(data, "method")?.toLowerCase());
  const path = textIn(data, "path") ?? "";
  const ref = refIn(data);
  const found = method && ref && scope.page.operation?.(ref, { method, path });
  return found ? drawOperation(found, { method, path }, scope) : drawn(data, method, path, scope);
}

/** A webhook by its name. */
export function webhook({ data }: Block, scope: Scope): Html {
  const method = oneOf(METHODS, textIn(data, "method")?.toLowerCase());
  const name = textIn(data, "name") ?? "";
  const ref = refIn(data);
  const found = method && ref && scope.page.webhook?.(ref, { method, name });
  return found ? drawWebhook(found, { method, name }, scope) : drawn(data, method, name, scope);
}

/** Schemas that one block shows. */
const MOST_SCHEMAS = 300;

/** The schemas of a specification by their names. */
export function schemas({ data }: Block, scope: Scope): Html {
  const names = listIn(data, "schemas").flatMap((name) => (typeof name === "string" ? [name.trim()] : []));
  const ref = refIn(data);
  const references = ref && scope.page.schemas?.(ref);
  const shown = names.slice(0, MOST_SCHEMAS);
  if (!references || !shown.some((name) => schemaOf(name, references)))
    return drawn(data, undefined, names.join(", "), scope);
  return drawSchemas(shown, references, data?.grouped !== false, scope);
}

function drawn(data: Block["data"], method: string | undefined, words: string, { page }: Scope): Html {
  const ref = refIn(data);
  const target = ref && (page.link(ref) ?? page.file(ref));
  const href = target && linkUrl(target.href);
  return (
    <div class="operation">
      {method && <span class={`method ${method}`}>{method.toUpperCase()}</span>}
      <code>{words}</code>
      {href !== undefined && (
        <a href={href} {...externalLinkAttributes(href, page)}>
          OpenAPI
        </a>
      )}
    </div>
  );
}
