import type { Html, Scope } from "../scope.js";
import { linkUrl } from "../urls.js";
import { authentication } from "./authentication.js";
import { exampleOf, exampleText, givenExample } from "./examples.js";
import { type Drawn, described, drawnFrom, fieldList, inside } from "./fields.js";
import { type Media, mediaOf } from "./media.js";
import { requestOf } from "./request.js";
import { sampleOf } from "./sample.js";
import { isPart, type Operation, type Part, partIn, resolve, typeOf, wordsIn } from "./schema.js";
import { trial } from "./trial.js";

interface Address {
  method: string;
  path: string;
}

/** Places of parameters, in the order in which they are shown. */
const PLACES = ["path", "query", "header", "cookie"] as const;

/** An operation of an API: what it takes, a request to copy, with a script one to send, and what it returns. */
export function drawOperation(shown: Operation, { method, path }: Address, scope: Scope): Html {
  const { operation } = shown;
  const { words } = scope.page;
  const drawn = drawnFrom(shown, scope);
  const server = shown.servers.map((url) => linkUrl(url)).find((url) => /^https?:/i.test(url ?? ""));
  const titles = {
    path: words.pathParameters,
    query: words.queryParameters,
    header: words.headerParameters,
    cookie: words.cookieParameters,
  };
  // Before anything is drawn: a request to copy is whole, also where there are more fields than are drawn.
  const request = requestOf({ operation, method, path, server, references: drawn.references });
  const { parameters, body, security } = request;
  const line = sampleOf(request);
  const summary = wordsIn(operation, "summary");
  return (
    <article class="api">
      <header>
        <span class={`method ${method}`}>{method.toUpperCase()}</span>
        <code>{pathParts(path)}</code>
        {operation.deprecated === true && <span class="deprecated">{words.deprecated}</span>}
      </header>
      <div>
        {summary !== undefined && <p class="summary">{summary}</p>}
        {wordsIn(operation, "description")?.trim() !== summary?.trim() && described(operation, drawn)}
        {security.length > 0 && [head(words.authentication, scope), authentication(security, drawn)]}
        {PLACES.map((place) => {
          const own = parameters.filter((one) => one.in === place);
          return own.length > 0 && [head(titles[place], scope), fieldList(own.map(fieldOf), drawn)];
        })}
        {body && [
          head(words.body, scope),
          described(body.about, drawn),
          body.media.map((one) => content(one, drawn)),
        ]}
        {head(words.request, scope)}
        {sample(line, scope)}
        {trial(request, scope)}
        {head(words.responses, scope)}
        {responses(operation, drawn)}
      </div>
    </article>
  );
}

/** A path that breaks between its parts; one that holds a parameter stays whole where the line has room for it. */
const pathParts = (path: string): Html =>
  path
    .split(/(?<=\/)/)
    .map((part, index) => [index > 0 && <wbr />, part.includes("{") ? <span>{part}</span> : part]);

const head = (words: string, scope: Scope): Html => <h4 aria-level={scope.level(4)}>{words}</h4>;

const fieldOf = (parameter: Part) => ({
  name: wordsIn(parameter, "name") ?? "",
  schema: partIn(parameter, "schema") ?? parameter,
  required: parameter.required === true,
  about: parameter,
});

/** What a body or a response holds: its media types, the type of its schema, and the fields of that. */
const content = ({ types, schema }: Media, drawn: Drawn): Html => [
  <p class="type">{[...types, ...(schema ? [typeOf(schema, drawn.references)] : [])].join(" · ")}</p>,
  inside(schema, drawn),
];

const MOST_RESPONSES = 20;

function responses(operation: Part, drawn: Drawn): Html {
  const all = Object.entries(partIn(operation, "responses") ?? {}).slice(0, MOST_RESPONSES);
  return all.map(([status, response]) => {
    const at = resolve(isPart(response) ? response : undefined, drawn.references);
    const media = mediaOf(at);
    // In documents of version 2.0 a response has one schema, whatever it is sent as.
    const old = partIn(at, "schema");
    if (media.length === 0 && old) media.push({ types: [], schema: old, about: {} });
    const good = status.startsWith("2");
    return (
      <details class="response" open={good && media.some(({ schema }) => schema !== undefined)}>
        <summary>
          <b class={good ? "good" : "bad"}>{status}</b>
          <span>{inlineCode(wordsIn(at, "description") ?? "")}</span>
        </summary>
        {media.length > 0 && (
          <div>
            {media.map((one) => content(one, drawn))}
            {example(media[0]!, good, drawn)}
          </div>
        )}
      </details>
    );
  });
}

/** An example of a response: its own, or one that is made of its schema where all goes well. */
function example({ types, schema, about }: Media, good: boolean, { scope, references }: Drawn): Html {
  const isJson = types.length === 0 || /json/i.test(types[0]!);
  const value =
    givenExample(about, references) ?? (good && schema && isJson ? exampleOf(schema, references) : undefined);
  if (value === undefined || value === null) return undefined;
  const { words } = scope.page;
  return (
    <details class="nested">
      <summary>{words.example}</summary>
      {codeOf(exampleText(value), isJson ? "json" : "", words.example, scope)}
    </details>
  );
}

/** Words of one line, in which backticks mark code. */
const inlineCode = (text: string): Html =>
  text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));

const sample = (text: string, scope: Scope): Html =>
  codeOf(text, "bash", scope.page.words.request, scope, { "data-sample": true });

function codeOf(text: string, syntax: string, label: string, scope: Scope, more = {}): Html {
  const tokens = scope.highlight(text, syntax);
  return (
    <figure class="code" aria-label={label}>
      <pre tabIndex={0}>
        <code {...more}>
          {tokens ? tokens.map(({ text, kind }) => (kind ? <span class={kind}>{text}</span> : text)) : text}
        </code>
      </pre>
    </figure>
  );
}
