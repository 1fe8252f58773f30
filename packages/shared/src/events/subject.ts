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

/**
 * What a service has to read in order to get events of these names: for each publisher the subjects, all of them or,
 * where there is one name alone, its own.
 */
export function subjectsToRead(
  prefix: string,
  names: Iterable<string>,
  service: string,
): Map<string, string> {
  const others = PUBLISHERS.filter((each) => each !== service);
  const read = new Map<string, string>();
  for (const name of names) {
    for (const publisher of name.startsWith(COMMON) ? others : name.split(".", 1)) {
      read.set(
        publisher,
        read.has(publisher) ? `${prefix}.${publisher}.>` : subjectOf(prefix, publisher, name),
      );
    }
  }
  return read;
}
