/** Whether git allows this as the full name of a ref. Source: `git check-ref-format`. */
export const isRefName = (ref: string): boolean =>
  ref.includes("/") &&
  ref.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock")) &&
  !ref.endsWith(".") &&
  !ref.includes("..") &&
  !ref.includes("@{") &&
  !/[^!-~\u0080-\u{10ffff}]|[~^:?*[\\]/u.test(ref);
