type Template = (parts: TemplateStringsArray, ...values: (string | number)[]) => string;

export interface Urls {
  /** An address of the interface: `api\`/spaces/${id}\`` is `<base>/v1/spaces/<id>`. */
  api: Template;
  /** An address of the application that people use. */
  app: Template;
  /** An address below the published sites. */
  site: Template;
  /** The root of a host that is one site's, with the scheme and the port of the published sites. */
  onHost(hostname: string): string;
  /** The domain below which sites have hosts of their own, by their names; absent when there is none. */
  sitesDomain?: string;
}

interface Bases {
  base: string;
  app: string;
  sites: string;
  sitesDomain?: string;
}

/** Builds absolute addresses on the configured bases; every inserted part is percent-encoded. */
export function createUrls(bases: Bases): Urls {
  const { protocol, port } = new URL(bases.sites);
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
    onHost: (hostname) => `${protocol}//${hostname}${port && `:${port}`}/`,
    ...(bases.sitesDomain !== undefined && { sitesDomain: bases.sitesDomain }),
  };
}
