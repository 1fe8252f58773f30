import type { PageProperties, PropertyEdits } from "@octavo/markdown/source/source";
import { emoji as anEmoji, icon as anIcon } from "@octavo/shared/contracts/fields";
import type { CommonPageProps } from "../db/tables/entries.js";

/** What a page's source says about the page, as the entry keeps it. `cover` names files by the refs that `fileRef` finds. */
export function propsOfSource(
  source: PageProperties & { empty?: true },
  fileRef: (path: string) => { kind: string } | undefined,
): CommonPageProps {
  const {
    description,
    icon,
    emoji,
    hidden,
    noIndex,
    noRobotsIndex,
    layout,
    variables,
    condition,
    linkTitle,
    cover,
    empty,
  } = source;
  const shown = cover && {
    ref: cover.ref === undefined ? undefined : reference(cover.ref, fileRef),
    refDark: cover.refDark === undefined ? undefined : reference(cover.refDark, fileRef),
    yPos: cover.yPos,
  };
  return pruned({
    description,
    icon: isIcon(icon) ? icon : undefined,
    emoji: isEmoji(emoji) ? emoji : undefined,
    hidden,
    noIndex,
    noRobotsIndex,
    layout,
    variables,
    condition,
    linkTitle,
    cover: shown,
    empty,
  });
}

// A source may say anything; what is no icon or emoji stays there, and is not shown.
const isIcon = (icon: string | undefined) => anIcon.safeParse(icon).success;
const isEmoji = (emoji: string | undefined) => anEmoji.safeParse(emoji).success;

function reference(address: string, fileRef: (path: string) => { kind: string } | undefined) {
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? { kind: "url", url: address } : fileRef(address);
}

/** Without the keys that have no value, and without flags that are off: those are the defaults. */
export function pruned<T extends object>(props: T): T {
  return Object.fromEntries(
    Object.entries(props).filter(
      ([, value]) => value !== undefined && value !== null && value !== false && value !== "",
    ),
  ) as T;
}

/** The edits that make a page's frontmatter say what was asked for. */
export function editsOf(wanted: CommonPageProps): PropertyEdits {
  const { description, icon, emoji, hidden, noIndex, noRobotsIndex, condition } = wanted;
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : value || null);
  return {
    description: description === "" ? null : description,
    icon: icon === "" ? null : icon,
    emoji: emoji === "" ? null : emoji,
    hidden: flag(hidden),
    noIndex: flag(noIndex),
    noRobotsIndex: flag(noRobotsIndex),
    condition: condition === "" ? null : condition,
  };
}
