/** Services that publish events. */
export const PUBLISHERS = ["orgs", "content", "sites", "integrations"] as const;

/** Events of these kinds come from several services, each of which publishes them among its own subjects. */
const COMMON = "audit.";

/** Whether a service may publish events of this name: those that begin with its own name, and the common ones. */
export const mayPublish = (publisher: string, name: string): boolean =>
  name.startsWith(`${publisher}.`) || name.startsWith(COMMON);

/**
 * Where an event travels: `<prefix>.<publisher>.<rest of the name>`, a common one `<prefix>.<publisher>.<name>`. So all
 * that a service may publish lies below one subject, which is what the permissions of the broker are given for.
 */
export function subjectOf(prefix: string, publisher: string, name: string): string {
  return name.startsWith(`${publisher}.`) ? `${prefix}.${name}` : `${prefix}.${publisher}.${name}`;
}

/** What a service reads of a publisher. */
export interface Reading {
  /** What the stream sends: as little else as one pattern can say, since brokers below 2.10 take no more. */
  filter: string;
  /** The subjects of what the service listens to. */
  subjects: ReadonlySet<string>;
}

/**
 * What a service has to read in order to get events of these names, for each publisher. The common events, which each
 * write has one of, are read by those alone who listen to them.
 */
export function subjectsToRead(
  prefix: string,
  names: Iterable<string>,
  service: string,
): Map<string, Reading> {
  const others = PUBLISHERS.filter((each) => each !== service);
  const subjects = new Map<string, Set<string>>();
  for (const name of names) {
    for (const publisher of name.startsWith(COMMON) ? others : name.split(".", 1)) {
      const known = subjects.get(publisher) ?? new Set();
      subjects.set(publisher, known.add(subjectOf(prefix, publisher, name)));
    }
  }
  return new Map(
    [...subjects].map(([publisher, each]) => [
      publisher,
      { filter: filterOf(`${prefix}.${publisher}`, [...each]), subjects: each },
    ]),
  );
}

/** The narrowest pattern below a publisher that all of the subjects match. */
function filterOf(above: string, subjects: string[]): string {
  if (subjects.length === 1) return subjects[0]!;
  const own = `${above}.*.*`;
  return subjects.every((each) => each.split(".").length === own.split(".").length) ? own : `${above}.>`;
}
