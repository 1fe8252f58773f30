import { SERVICES, type ServiceName } from "./services.js";

/** What a new resource is called, in every form that its files need. */
export interface Names {
  service: ServiceName;
  /** Below the service's `src`: `library/issue-labels`. */
  folder: string;
  /** `../..` from the folder to `src`. */
  up: string;
  /** The last part of the folder: `issue-labels`. */
  path: string;
  /** The router's name, and that of a variable for many: `issueLabels`. */
  many: string;
  /** `issueLabel` */
  one: string;
  /** `IssueLabel`, `IssueLabels` */
  type: string;
  types: string;
  /** `issue-label`: from `object`. */
  object: string;
  /** `issue_label` */
  table: string;
  /** In sentences: `issue label`, `issue labels`. */
  words: string;
  manyWords: string;
}

/** Reads `<service>/<folder>`. Throws a text for the caller when it names no folder that a resource could have. */
export function namesOf(argument: string): Names {
  const [service = "", ...folders] = argument.split("/");
  if (!isService(service))
    throw new Error(`There is no service ${service}: ${Object.keys(SERVICES).join(", ")}`);
  const path = folders.at(-1) ?? "";
  if (folders.length === 0 || folders.some((part) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(part)))
    throw new Error(`${argument} is no folder: write <service>/<folder>, in lower case with hyphens`);
  if (!path.endsWith("s")) throw new Error(`${path} is not a plural: addresses name many, such as redirects`);
  const object = path.endsWith("ies") ? `${path.slice(0, -3)}y` : path.slice(0, -1);
  return {
    service,
    path,
    object,
    folder: folders.join("/"),
    up: folders.map(() => "..").join("/"),
    many: camel(path),
    one: camel(object),
    type: pascal(object),
    types: pascal(path),
    table: object.replaceAll("-", "_"),
    words: spaced(object),
    manyWords: spaced(path),
  };
}

const isService = (name: string): name is ServiceName => Object.hasOwn(SERVICES, name);
const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`-${name}`);
const spaced = (name: string) => name.replaceAll("-", " ");
