type Template = (parts: TemplateStringsArray, ...values: (string | number)[]) => string;

export interface Urls {
  /** An address of the interface: `api\`/spaces/${id}\`` is `<base>/v1/spaces/<id>`. */
  api: Template;
  /** An address of the application that people use. */
  app: Template;
  /** An address below the published sites. */
  site: Template;
}

/** Builds absolute addresses on the configured bases; every inserted part is percent-encoded. */
export function createUrls(bases: { base: string; app: string; sites: string }): Urls {
  const under =
    (base: string): Template =>
    (parts, ...values) =>
      values.reduce<string>(
        (address, value, index) => address + encodeURIComponent(value) + parts[index + 1],
        base.replace(/\/+$/, "") + parts[0],
      );
  return {
    api: under(`${bases.base.replace(/\/+$/, "")}/v1`),
    app: under(bases.app),
    site: under(bases.sites),
  };
}
