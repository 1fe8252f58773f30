import type { RawDeclaration } from "@octavo/shared/rest/routes";

// The addresses at which an integration is reached by anybody, without a token: what they are good for, its script decides.

const INTEGRATION = "/integrations/{integrationName}";
const INSTALLATION = `${INTEGRATION}/installations/{installationId}`;

/** Where each level has its public endpoint, with the words that its operations are named with. */
const LEVELS = {
  Integration: INTEGRATION,
  Installation: INSTALLATION,
  SpaceInstallation: `${INSTALLATION}/spaces/{spaceId}`,
  SiteInstallation: `${INSTALLATION}/sites/{siteId}`,
} as const;

const VERBS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;
type Verb = keyof typeof VERBS;

const WORDS: Record<string, string> = {
  Integration: "an integration",
  Installation: "an installation",
  SpaceInstallation: "an installation on a space",
  SiteInstallation: "an installation on a site",
};

const PARTS = [
  ["/public", "Root", "at"],
  ["/public/{rest*}", "", "below"],
] as const;

const declarationOf = (
  verb: Verb,
  [level, base]: [string, string],
  [path, name, where]: (typeof PARTS)[number],
): RawDeclaration => ({
  method: verb,
  path: `${base}${path}`,
  name: `publicEndpoints.${VERBS[verb]}`,
  anyType: true,
  limit: "visit",
  openapi: {
    operationId: `${VERBS[verb]}PublicEndpoint${name}Of${level}`,
    summary: `Run the script for a ${verb} ${where} the public endpoint of ${WORDS[level]}`,
    response: { type: "*/*" },
    ...(verb !== "GET" && { body: { type: "*/*" } }),
  },
});

/** Every address of public endpoints, with every verb that scripts know. */
export const PUBLIC_ENDPOINTS: RawDeclaration[] = Object.entries(LEVELS).flatMap((level) =>
  PARTS.flatMap((part) => (Object.keys(VERBS) as Verb[]).map((verb) => declarationOf(verb, level, part))),
);

/** Where visitors of a site sign in by an installation. */
export const VISITOR_AUTHENTICATION: RawDeclaration = {
  method: "GET",
  path: `${LEVELS.SiteInstallation}/visitor-auth`,
  name: "publicEndpoints.visitorAuth",
  limit: "visit",
  openapi: {
    operationId: "getVisitorAuthenticationOfSiteInstallation",
    summary: "Have the script of an integration sign in a visitor of a site",
    response: { type: "*/*" },
  },
};

/** The script that an installation puts into the pages of a site or of a space. */
export const PUBLISHED_SCRIPTS = (["Space", "Site"] as const).map(
  (kind): RawDeclaration => ({
    method: "GET",
    path: `${LEVELS[`${kind}Installation`]}/script`,
    name: `publicEndpoints.${kind.toLowerCase()}Script`,
    limit: "visit",
    openapi: {
      operationId: `get${kind}InstallationScript`,
      summary: `Get the script that an integration puts into the pages of a ${kind.toLowerCase()}`,
      response: { type: "text/javascript" },
    },
  }),
);
