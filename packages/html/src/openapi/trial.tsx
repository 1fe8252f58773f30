import type { Page } from "../page.js";
import type { Html, Scope } from "../scope.js";
import { exampleText } from "./examples.js";
import { type Request, takesBearer, typeOfBody } from "./request.js";
import { type Part, partIn, resolve, typeOf, wordsIn } from "./schema.js";

/** A form that a script shows and sends: what is typed into it stays on the page. */
export function trial(request: Request, { page }: Scope): Html {
  const { method, path, server, parameters, body } = request;
  const { words } = page;
  if (server === undefined) return undefined;
  const asked = parameters.filter(
    ({ in: place }) => place === "path" || place === "query" || place === "header",
  );
  return (
    <details class="trial" data-trial data-method={method} data-path={path} data-server={server} hidden>
      <summary>{words.tryIt}</summary>
      <form>
        {takesBearer(request) && (
          <label>
            <span>{words.token}</span>
            <input type="password" data-token autocomplete="off" spellcheck={false} />
          </label>
        )}
        {asked.map((one) => input(one, request, page))}
        {body && (
          <label>
            <span>{words.body}</span>
            <textarea data-body data-type={typeOfBody(body)} rows={8} spellcheck={false}>
              {exampleText(body.example)}
            </textarea>
          </label>
        )}
        <button type="submit" class="button primary">
          {words.send}
        </button>
      </form>
      <output />
    </details>
  );
}

const MOST_VALUES = 40;

function input(parameter: Part, { references }: Request, { words }: Page): Html {
  const name = wordsIn(parameter, "name") ?? "";
  const schema = resolve(partIn(parameter, "schema"), references);
  const values = Array.isArray(schema.enum) ? schema.enum.slice(0, MOST_VALUES).map(String) : [];
  const required = parameter.in === "path" || parameter.required === true;
  const shared = { "data-in": String(parameter.in), "data-name": name, required };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of the two
    <label>
      <span class="field">
        <code>{name}</code>
        <span class="type">{typeOf(schema, references)}</span>
        {required && <span class="required">{words.required}</span>}
      </span>
      {values.length > 0 ? (
        <select {...shared}>
          {!required && <option value="" />}
          {values.map((value) => (
            <option value={value}>{value}</option>
          ))}
        </select>
      ) : (
        <input type="text" {...shared} autocomplete="off" spellcheck={false} />
      )}
    </label>
  );
}
