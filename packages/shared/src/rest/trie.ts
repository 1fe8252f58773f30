/** What lies at a path: a value for each method, and the decoded parameters. */
export interface Match<T> {
  methods: Map<string, T>;
  params: Record<string, string>;
}

interface Node<T> {
  literals: Map<string, Node<T>>;
  parameter?: Node<T>;
  catchAll?: Node<T>;
  names: string[];
  methods?: Map<string, T>;
}

export interface Trie<T> {
  /** Adds a template such as `/spaces/{spaceId}/content/path/{pagePath*}`; throws when it is taken or named otherwise. */
  add(template: string, method: string, value: T): void;
  /** The best match of a raw path, or undefined. A malformed percent-encoding throws URIError. */
  match(path: string): Match<T> | undefined;
}

const node = <T>(): Node<T> => ({ literals: new Map(), names: [] });

function under<T>(at: Node<T>, kind: "parameter" | "catchAll"): Node<T> {
  at[kind] ??= node<T>();
  return at[kind];
}

function literalUnder<T>(at: Node<T>, segment: string): Node<T> {
  const known = at.literals.get(segment) ?? node<T>();
  at.literals.set(segment, known);
  return known;
}

/**
 * A table of routes over whole segments, case-sensitive: literals before parameters before a catch-all,
 * whatever the order they were added in. Costs one step a segment.
 */
export function createTrie<T>(): Trie<T> {
  const root = node<T>();

  function add(template: string, method: string, value: T) {
    let at = root;
    const names: string[] = [];
    for (const segment of template.split("/").slice(1)) {
      const parameter = /^\{(\w+)(\*?)\}$/.exec(segment);
      if (parameter) names.push(parameter[1]!);
      at = parameter ? under(at, parameter[2] ? "catchAll" : "parameter") : literalUnder(at, segment);
    }
    const known = at.methods;
    if (known?.has(method)) throw new Error(`Two operations claim ${method} ${template}`);
    if (known && names.join() !== at.names.join())
      throw new Error(
        `${method} ${template} names its parameters otherwise than another operation of its path`,
      );
    at.methods ??= new Map();
    at.names = names;
    at.methods.set(method, value);
  }

  function match(path: string): Match<T> | undefined {
    const segments = path.split("/").slice(1);
    const values: string[] = [];
    const at = walk(root, segments, 0, values);
    if (!at?.methods) return;
    const params: Record<string, string> = {};
    at.names.forEach((name, index) => {
      params[name] = decodeURIComponent(values[index]!);
    });
    return { methods: at.methods, params };
  }

  return { add, match };
}

function walk<T>(at: Node<T>, segments: string[], index: number, values: string[]): Node<T> | undefined {
  if (index === segments.length) return at.methods ? at : undefined;
  const segment = segments[index]!;
  const literal = at.literals.get(segment);
  if (literal) {
    const end = walk(literal, segments, index + 1, values);
    if (end) return end;
  }
  if (segment === "") return;
  if (at.parameter) {
    values.push(segment);
    const end = walk(at.parameter, segments, index + 1, values);
    if (end) return end;
    values.pop();
  }
  if (at.catchAll?.methods) {
    values.push(segments.slice(index).join("/"));
    return at.catchAll;
  }
  return;
}
