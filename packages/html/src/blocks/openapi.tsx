import type { Block } from "@octavo/markdown/document/nodes";
import { listIn, oneOf, refIn, textIn } from "../data.js";
import { drawOperation } from "../openapi/operation.js";
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
  return drawn(data, method, textIn(data, "name") ?? "", scope);
}

/** The schemas of a specification by their names. */
export function schemas({ data }: Block, scope: Scope): Html {
  const names = listIn(data, "schemas").filter((name) => typeof name === "string");
  return drawn(data, undefined, names.join(", "), scope);
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
        <a href={href} rel="noopener">
          OpenAPI
        </a>
      )}
    </div>
  );
}
