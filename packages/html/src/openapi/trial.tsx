import { objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { schemeLine } from "./authentication.js";
import { exampleText } from "./examples.js";
import type { FormField } from "./form.js";
import { type Body, type Request, typeOfBody } from "./request.js";
import { type Part, type References, resolve, typeOf } from "./schema.js";
import { type Scheme, schemesOf } from "./security.js";

/** A form that a script shows and sends: what is typed into it stays on the page. */
export function trial(request: Request, scope: Scope): Html {
  const { method, path, server, parameters, body, security, references } = request;
  const { words } = scope.page;
  if (server === undefined) return undefined;
  const asked = parameters.filter(
    ({ in: place }) => place === "path" || place === "query" || place === "header",
  );
  const address = { "data-method": method, "data-path": path, "data-server": server };
  return (
    <details class="trial" data-trial {...address} data-form={body?.form?.type} hidden>
      <summary>{words.tryIt}</summary>
      <form>
        {schemesOf(security).map((one) => secretInput(one, server, scope))}
        {asked.map((one) => input(parameterInput(one, references), scope))}
        {body && bodyInput(body, references, scope)}
        <button type="submit" class="button primary">
          {words.send}
        </button>
      </form>
      <output />
    </details>
  );
}

/** Forms of one server share the secret of a scheme. Cookies are in the sample alone: no page can send those of another site. */
function secretInput(scheme: Scheme, server: string, { page }: Scope): Html {
  const { name, kind, place, field, variables } = scheme;
  const sent = { "data-in": place, "data-name": field, "data-kind": kind, "data-variables": variables };
  if (place === "cookie") return <input type="hidden" {...sent} value={variables} />;
  return (
    <label>
      {schemeLine(scheme, page.words)}
      <input
        type="password"
        data-token={`${name} ${server}`}
        {...sent}
        placeholder={kind === "basic" ? "username:password" : undefined}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}

function bodyInput(body: Body, references: References, scope: Scope): Html {
  if (body.form) return body.form.fields.map((one) => fieldInputs(one, references, scope));
  return (
    <label>
      <span>{scope.page.words.body}</span>
      <textarea data-body data-type={typeOfBody(body)} rows={8} spellcheck={false}>
        {exampleText(body.example)}
      </textarea>
    </label>
  );
}

interface Input {
  place: string;
  name: string;
  type: string;
  required: boolean;
  /** The values that it may have, where they are few. */
  options: string[];
  value?: string;
  file?: "one" | "several";
}

const MOST_OPTIONS = 40;

const optionsOf = (schema: Part): string[] =>
  Array.isArray(schema.enum) ? schema.enum.slice(0, MOST_OPTIONS).map(String) : [];

function parameterInput(parameter: Part, references: References): Input {
  const schema = objectIn(parameter, "schema") ?? parameter;
  return {
    place: String(parameter.in),
    name: textIn(parameter, "name") ?? "",
    type: typeOf(schema, references),
    required: parameter.in === "path" || parameter.required === true,
    options: optionsOf(resolve(schema, references)),
  };
}

/** An input for each value of a field, with its example in it. */
function fieldInputs(field: FormField, references: References, scope: Scope): Html {
  const { name, schema, required, isFile, isList, values } = field;
  const shared = { place: "form", name, required, type: typeOf(schema, references) };
  if (isFile) return input({ ...shared, options: [], file: isList ? "several" : "one" }, scope);
  const options = optionsOf(schema);
  return (values.length > 0 ? values : [""]).map((value) => input({ ...shared, options, value }, scope));
}

function input({ place, name, type, required, options, value, file }: Input, { page }: Scope): Html {
  const shared = { "data-in": place, "data-name": name, required };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of the three
    <label>
      <span class="field">
        <code>{name}</code>
        <span class="type">{type}</span>
        {required && <span class="required">{page.words.required}</span>}
      </span>
      {file !== undefined ? (
        <input type="file" {...shared} multiple={file === "several"} />
      ) : options.length > 0 ? (
        <select {...shared}>
          {!required && <option value="" />}
          {options.map((option) => (
            <option value={option} selected={option === value}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input type="text" {...shared} value={value} autocomplete="off" spellcheck={false} />
      )}
    </label>
  );
}
