import type { startOrgs } from "../../testing/orgs.js";
import { type Account, IDP, SSO_URL, startIdentityProvider } from "./testing-idp.js";

type Orgs = Awaited<ReturnType<typeof startOrgs>>;

/** An organization that people sign in to, and what a browser does on the way. */
export async function signInTest(orgs: Orgs, over: Record<string, unknown> = {}) {
  const { rows, as, address } = orgs;
  const idp = startIdentityProvider();
  const organization = await rows.organization({ email_domains: ["example.com"] });
  await rows.verifiedDomains(organization, "example.com");
  const admin = await as({ [organization]: "admin" });
  const made = await admin.send("POST", `/v1/orgs/${organization}/saml`, {
    label: "Acme",
    entityID: IDP,
    ssoURL: SSO_URL,
    certificate: idp.identity.certificate,
    defaultRole: "edit",
    ...over,
  });
  const provider = made.body;
  const here = (url: string) => url.replace("http://octavo.test", address);

  const get = (url: string) => fetch(here(url), { redirect: "manual" });
  const metadata = async () => (await get(provider.service.entityID)).text();

  /** Where the browser is sent with our request. */
  async function start(returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
    const response = await get(provider.service.startURL + query);
    if (response.status !== 302) throw new Error(`${response.status} ${await response.text()}`);
    return response.headers.get("location")!;
  }

  async function post(form: URLSearchParams | Record<string, string>) {
    const init = { method: "POST", body: new URLSearchParams(form), redirect: "manual" as const };
    const response = await fetch(here(provider.service.acsURL), init);
    const text = await response.text();
    const body = text ? JSON.parse(text) : undefined;
    return { status: response.status, location: response.headers.get("location"), body };
  }

  async function exchange(code: unknown) {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    };
    const response = await fetch(`${address}/v1/sso/exchange`, init);
    return { status: response.status, body: (await response.json()) as never as Record<string, string> };
  }

  /** The whole way of one account, up to the response of the last step. */
  async function signIn(account: Account, returnTo?: string) {
    const location = await start(returnTo);
    return post(await idp.signIn(location, await metadata(), account));
  }

  /** The token of an account that gets in. */
  async function tokenOf(account: Account): Promise<string> {
    const { location, body } = await signIn(account);
    if (!location) throw new Error(JSON.stringify(body));
    return (await exchange(new URL(location).searchParams.get("code"))).body.token!;
  }

  return { idp, organization, admin, provider, get, metadata, start, post, exchange, signIn, tokenOf };
}
