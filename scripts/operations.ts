import { posix } from "node:path";

/** An operation as `gateway/routes.json` lists it. */
export interface Listed {
  method: string;
  path: string;
  service: string;
  /** Procedure in the service's router, such as `spaces.move`. */
  operation: string;
  /** What streams bytes or is served without a token is no procedure. */
  auth?: "none";
}

/** A procedure as a router file declares it. */
interface Procedure {
  service: string;
  /** The folder of the router. */
  folder: string;
  name: string;
  /** The name of the function that it calls, and the file that it is imported from. */
  rule?: string;
  file?: string;
}

/** Words of an address that mean the same as the name of a folder. */
const SYNONYMS: Record<string, string> = { orgs: "organizations", permissions: "grants", dev: "dev-mode" };

/** Verbs that a name may begin with, by the verb of HTTP. */
const VERBS: Record<string, string[]> = {
  GET: ["get", "list", "in", "of"],
  POST: ["accept", "add", "create", "install", "invite", "post", "publish", "request", "send", "submit"],
  PUT: ["add", "create", "enable", "update"],
  PATCH: ["update"],
  DELETE: ["disable", "remove", "revoke", "uninstall", "unpublish"],
};

/** Operations whose address is named by other words than the procedure, and why. */
export const EXCEPTIONS: Record<string, string> = {
  "changeRequests.pull": "`update` is what PATCH does",
  "changeRequests.edit": "a POST on the content of a change request edits it",
  "content.revision": "what is read at `/content` is a revision",
  "changeRequestContent.revision": "what is read at `/content` is a revision",
  "linkInvites.accept": "links invite at the address of all invites",
  "invites.join": "an organization invites by its e-mail domains, at an address of its own",
  "members.ping": "the organization is pinged, and its member noted",
  "saml.listSsoLogins": "what a browser asks for lies at `/sso`",
  "publishing.publish": "a site is published",
  "publishing.unpublish": "a site is published",
  "publishing.getPublished": "a site is published",
  "revisionContent.*": "a revision is its content",
};

/**
 * Says which operations can not be found by name: the procedure, the function it calls and the address have to agree, and
 * the function lies in `rules.ts` or `rules/` of the router's folder. `sources` maps files such as
 * `services/orgs/src/membership/teams/router.ts` to their texts.
 */
export function problemsOf(
  operations: Listed[],
  sources: Map<string, string>,
  exceptions: Record<string, string> = EXCEPTIONS,
): string[] {
  const procedures = proceduresIn(sources);
  const routed = operations.filter(({ auth }) => auth !== "none");
  const unused = Object.keys(exceptions).filter(
    (name) => !operations.some(({ operation }) => isMeant(name, operation)),
  );
  return [
    ...[...procedures].flatMap(([name, procedure]) => withoutFunction(name, procedure, sources)),
    ...routed.flatMap((one) => {
      const procedure = procedures.get(`${one.service} ${one.operation}`);
      if (!procedure) return [`${one.service} ${one.operation}: no router file declares it`];
      const excused = Object.keys(exceptions).some((name) => isMeant(name, one.operation));
      return excused ? [] : withOtherAddress(one, procedure);
    }),
    ...unused.map((name) => `${name}: excepted, and no operation has that name`),
  ];
}

/** Lines that a file of rules may have: a screenful. */
const MOST_LINES = 125;

/** Says which files of rules have outgrown a screen. `sources` maps files to their texts, as for `problemsOf`. */
export function longRules(sources: Map<string, string>): string[] {
  return [...sources].flatMap(([file, text]) => {
    const lines = text.trimEnd().split("\n").length;
    const isLong = /(^|\/)rules(\.ts|\/[^/]+\.ts)$/.test(file) && lines > MOST_LINES;
    return isLong
      ? [
          `${file}: has ${lines} lines of rules; give verbs files of their own in rules/, and helpers beside it`,
        ]
      : [];
  });
}

const isMeant = (exception: string, operation: string) =>
  exception.endsWith(".*") ? operation.startsWith(exception.slice(0, -1)) : exception === operation;

/** All procedures, by service and name. */
function proceduresIn(sources: Map<string, string>): Map<string, Procedure> {
  const all = new Map<string, Procedure>();
  for (const [file, text] of sources) {
    const service = /^services\/(\w+)\/src\/router\.ts$/.exec(file)?.[1];
    if (!service) continue;
    const imports = importsIn(text, file);
    for (const [namespace, router] of mountsOf(text)) {
      const from = imports.get(router);
      const declared = from && sources.get(from);
      if (!declared) continue;
      for (const procedure of declaredIn(declared, from))
        all.set(`${service} ${namespace}.${procedure.name}`, { service, ...procedure });
    }
  }
  return all;
}

/** The namespaces of a service's router, with the name by which each router is imported. */
function mountsOf(text: string): Map<string, string> {
  const [, body = ""] = /mount\(\{([^}]*)\}\)/.exec(text) ?? [];
  const entries = body.split(",").map((entry) => entry.trim().split(/:\s*/));
  return new Map(entries.filter(([name]) => name).map(([name, router = name]) => [name!, router!]));
}

/** What a file imports, by the name that it has there. */
function importsIn(text: string, file: string): Map<string, string> {
  const found = text.matchAll(/^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[^"]+)";/gm);
  return new Map(
    [...found].flatMap(([, module, names = "", from]) => {
      const path = posix.join(posix.dirname(file), from!).replace(/\.js$/, ".ts");
      const own = module ? [module] : names.split(",").map((name) => name.trim().split(" as ").at(-1)!);
      return own.filter(Boolean).map((name): [string, string] => [name, path]);
    }),
  );
}

/** The procedures of a router file: `name: get(…)…query(rules.name)`, as the formatter writes them. */
function declaredIn(text: string, file: string): Omit<Procedure, "service">[] {
  const imports = importsIn(text, file);
  const parts = text.split(/^ {2,4}(\w+): (?=(?:get|post|put|patch|del|internal|shown|service)\b)/m).slice(1);
  const declared = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [, called = ""] =
      /\.(?:query|mutation)\(([\s\S]*?)\),?\s*(?:\/\*\*[\s\S]*?\*\/\s*)?(?:\}\);|$)/.exec(parts[at + 1]!) ??
      [];
    // `rules.move`, or within what changes how it is called: `removal(rules.remove)`
    const [, module, rule] = /^(?:\w+\()*(?:(\w+)\.)?(\w+)\)*$/.exec(called.trim()) ?? [];
    const file_ = rule && imports.get(module ?? rule);
    declared.push({ folder: posix.dirname(file), name: parts[at]!, rule, file: file_ });
  }
  return declared;
}

function withoutFunction(
  name: string,
  { folder, rule, file, ...procedure }: Procedure,
  sources: Map<string, string>,
) {
  if (!rule || !file) return [`${name}: calls no imported function by its name`];
  if (rule !== procedure.name) return [`${name}: calls a function of another name, ${rule}`];
  if (file !== `${folder}/rules.ts` && posix.dirname(file) !== `${folder}/rules`)
    return [`${name}: its function lies in ${file}, not in rules.ts or rules/ of ${folder}`];
  const isThere = new RegExp(`^export (?:(?:async )?function|const) ${rule}\\b`, "m").test(
    sources.get(file) ?? "",
  );
  return isThere ? [] : [`${name}: ${file} exports no function ${rule}`];
}

/** How the address of an operation disagrees with the name of its procedure. */
function withOtherAddress({ service, operation, method, path }: Listed, { folder }: Procedure): string[] {
  const [namespace = "", name = ""] = operation.split(".");
  const own = posix.basename(folder);
  const words = path.split("/").filter((word) => word && !word.startsWith("{") && word !== "v1");
  const resource = plain(own);
  const last = plain(words.at(-1)!);
  const problems = [];
  if (!plain(namespace).endsWith(resource)) problems.push(`lies in the folder ${own}`);
  if (!plain(words.map((word) => `${SYNONYMS[word] ?? word}`).join("-")).includes(resource))
    problems.push(`its address does not name ${own}`);
  const saysLast = plain(name).includes(last);
  const isOnResource = resource.endsWith(plain(SYNONYMS[words.at(-1)!] ?? words.at(-1)!));
  const verb = VERBS[method]!.some((verb) => new RegExp(`^${verb}(?![a-z])`).test(name));
  if (isOnResource ? !verb && !saysLast : !saysLast)
    problems.push(`is not named after what ${method} ${path} does`);
  return problems.map((problem) => `${service} ${operation}: ${problem}`);
}

/** Words without their case, dashes and plurals: `link-invites` and `linkInvite` are the same. */
const plain = (words: string) =>
  words
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/ies$/, "y").replace(/s$/, ""))
    .join("");
