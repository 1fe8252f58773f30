import { objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { linkUrl } from "../urls.js";
import { authentication } from "./authentication.js";
import { type Drawn, described, drawnFrom, fieldList } from "./fields.js";
import { type Request, requestOf } from "./request.js";
import { codeOf, content, example, responses } from "./response.js";
import { sampleOf } from "./sample.js";
import type { Operation, Part } from "./schema.js";
import { trial } from "./trial.js";

interface Address {
  method: string;
  path: string;
}

/** An operation of an API: what it takes, a request to copy, with a script one to send, and what it returns. */
export function drawOperation(shown: Operation, { method, path }: Address, scope: Scope): Html {
  const { operation } = shown;
  const { words } = scope.page;
  const drawn = drawnFrom(shown, scope);
  const server = shown.servers.map((url) => linkUrl(url)).find((url) => /^https?:/i.test(url ?? ""));
  // Before anything is drawn: a request to copy is whole, also where there are more fields than are drawn.
  const request = requestOf({ operation, method, path, server, references: drawn.references });
  const { security } = request;
  const sample = sampleOf(request);
  return (
    <article class="api">
      {header(method, pathParts(path), operation, scope)}
      <div>
        {about(operation, drawn)}
        {security.length > 0 && [head(words.authentication, scope), authentication(security, drawn)]}
        {taken(request, drawn)}
        {head(words.request, scope)}
        {codeOf(sample, "bash", words.request, scope, { "data-sample": true })}
        {trial(request, scope)}
        {head(words.responses, scope)}
        {responses(operation, drawn)}
      </div>
    </article>
  );
}

/** A webhook of an API: what it sends, with an example, and which responses it takes. */
export function drawWebhook(shown: Operation, { method, name }: Webhook, scope: Scope): Html {
  const { operation } = shown;
  const drawn = drawnFrom(shown, scope);
  const request = requestOf({
    operation,
    method,
    path: "",
    server: undefined,
    references: drawn.references,
  });
  const { body } = request;
  return (
    <article class="api">
      {header(method, name, operation, scope)}
      <div>
        {about(operation, drawn)}
        {taken(request, drawn)}
        {body && example(body.media[0], true, drawn)}
        {objectIn(operation, "responses") && head(scope.page.words.responses, scope)}
        {responses(operation, drawn)}
      </div>
    </article>
  );
}

interface Webhook {
  method: string;
  name: string;
}

const header = (method: string, address: Html, { deprecated }: Part, { page }: Scope): Html => (
  <header>
    <span class={`method ${method}`}>{method.toUpperCase()}</span>
    <code>{address}</code>
    {deprecated === true && <span class="deprecated">{page.words.deprecated}</span>}
  </header>
);

function about(operation: Part, drawn: Drawn): Html {
  const summary = textIn(operation, "summary");
  return [
    summary !== undefined && <p class="summary">{summary}</p>,
    textIn(operation, "description")?.trim() !== summary?.trim() && described(operation, drawn),
  ];
}

/** Places of parameters, in the order in which they are shown. */
const PLACES = ["path", "query", "header", "cookie"] as const;

/** The parameters and the body of a request. */
function taken({ parameters, body }: Request, drawn: Drawn): Html {
  const { scope } = drawn;
  const { words } = scope.page;
  const titles = {
    path: words.pathParameters,
    query: words.queryParameters,
    header: words.headerParameters,
    cookie: words.cookieParameters,
  };
  return [
    PLACES.map((place) => {
      const own = parameters.filter((one) => one.in === place);
      return own.length > 0 && [head(titles[place], scope), fieldList(own.map(fieldOf), drawn)];
    }),
    body && [
      head(words.body, scope),
      described(body.about, drawn),
      body.media.map((one) => content(one, drawn)),
    ],
  ];
}

/** A path that breaks between its parts; one that holds a parameter stays whole where the line has room for it. */
const pathParts = (path: string): Html =>
  path
    .split(/(?<=\/)/)
    .map((part, index) => [index > 0 && <wbr />, part.includes("{") ? <span>{part}</span> : part]);

const head = (words: string, scope: Scope): Html => <h4 aria-level={scope.level(4)}>{words}</h4>;

const fieldOf = (parameter: Part) => ({
  name: textIn(parameter, "name") ?? "",
  schema: objectIn(parameter, "schema") ?? parameter,
  required: parameter.required === true,
  about: parameter,
});
