import type { IncomingMessage } from "node:http";
import type { IntegrationCaller, ReaderCaller, UserCaller } from "@octavo/shared/contracts/callers";
import { refuse } from "@octavo/shared/errors";
import type { Signer } from "@octavo/shared/identity";
import { LRUCache } from "lru-cache";

type TokenCaller = UserCaller | IntegrationCaller | ReaderCaller;

/** What orgs says about a token, integrations about one that is an integration's, or a reader token says itself. */
export interface ResolvedToken {
  caller: TokenCaller;
  /** ISO time after which the token is worth nothing. */
  expiresAt?: string | null;
}

export interface Principal {
  caller: TokenCaller;
  /** The signed caller, as services accept it. */
  identity: string;
}

/** The space or the site that a request names. */
export interface Place {
  space?: string;
  site?: string;
}

interface Known {
  principal: Principal;
  at: number;
  expires: number;
}

export interface Bearers {
  /** Who holds the token, or undefined when nobody does. Asks orgs once for any number of requests. */
  principal(token: string, place?: Place): Promise<Principal | undefined>;
  /** What is known about the token without asking; `undefined` means it has to be asked. */
  known(token: string, place?: Place): Principal | null | undefined;
  /** Forgets every token that one of the ids (of a token, a user or an organization) concerns. */
  drop(ids: ReadonlySet<string>): void;
  dropAll(): void;
}

interface BearerOptions {
  resolve: (token: string, place?: Place) => Promise<ResolvedToken | null>;
  signer: Signer;
  /** Whether revocations arrive at this moment; if not, nothing is believed for longer than `shortMs`. */
  isConnected: () => boolean;
  longMs?: number;
  shortMs?: number;
}

const SCHEME = /^bearer +(\S+)$/i;
const NEGATIVE_MS = 1_000;
/** Longer than a resolved identity is cached, so that an identity never expires in use. */
const IDENTITY_TTL_S = 120;

/** The token of the Authorization header; 401 without one. */
export function bearerOf(req: IncomingMessage): string {
  const header = req.headers.authorization;
  if (!header) refuseBearer("a bearer token is required");
  const token = SCHEME.exec(header)?.[1];
  return token ?? refuseBearer("is not a bearer token");
}

export function refuseBearer(what: string): never {
  const error = what.endsWith("required") ? "" : ', error="invalid_token"';
  refuse("UNAUTHORIZED", `Authorization: ${what}`, {
    reason: error ? "invalid_token" : "authentication_required",
    headers: { "www-authenticate": `Bearer realm="octavo"${error}` },
  });
}

/** Caches what orgs returned for tokens, for seconds or until an event invalidates it. */
export function createBearers(options: BearerOptions): Bearers {
  const { resolve, signer, isConnected, longMs = 30_000, shortMs = 1_500 } = options;
  const tokens = new LRUCache<string, Known>({ max: 20_000 });
  /** Tokens that nobody holds. They lie apart, so that trying many of them pushes no known one out. */
  const unknown = new LRUCache<string, true>({ max: 20_000, ttl: NEGATIVE_MS });
  const asking = new Map<string, Promise<Principal | undefined>>();
  /** Of every question on its way: the ids that changed since it was asked, or that anything may have. */
  const pending = new Set<{ all: boolean; ids: Set<string> }>();

  function known(token: string, place?: Place): Principal | null | undefined {
    const found = tokens.get(keyOf(token, place));
    if (!found) return unknown.has(token) ? null : undefined;
    const now = Date.now();
    if (now - found.at >= (isConnected() ? longMs : shortMs) || now >= found.expires) return undefined;
    return found.principal;
  }

  /** A response is not cached when a change that concerns it arrived while it was on its way: it may be older. */
  async function ask(token: string, place?: Place): Promise<Principal | undefined> {
    const at = Date.now();
    const changed = { all: false, ids: new Set<string>() };
    pending.add(changed);
    try {
      const resolved = await resolve(token, place);
      const expires = resolved?.expiresAt ? Date.parse(resolved.expiresAt) : Number.POSITIVE_INFINITY;
      const principal = resolved && expires > Date.now() ? await sign(resolved.caller) : undefined;
      // Whom a refusal concerns is not known: any change may have made it untrue.
      const stale = resolved ? concerns(resolved.caller, changed.ids) : changed.ids.size > 0;
      if (changed.all || stale) return principal;
      if (principal) {
        tokens.set(keyOf(token, place), { principal, at, expires });
      } else {
        tokens.delete(keyOf(token, place));
        unknown.set(token, true);
      }
      return principal;
    } finally {
      pending.delete(changed);
    }
  }

  async function sign(caller: TokenCaller): Promise<Principal> {
    return { caller, identity: await signer.cached(JSON.stringify(caller), () => caller, IDENTITY_TTL_S) };
  }

  function principal(token: string, place?: Place): Promise<Principal | undefined> {
    const found = known(token, place);
    if (found !== undefined) return Promise.resolve(found ?? undefined);
    const key = keyOf(token, place);
    const running = asking.get(key);
    if (running) return running;
    const question = ask(token, place).finally(() => {
      if (asking.get(key) === question) asking.delete(key);
    });
    asking.set(key, question);
    return question;
  }

  function drop(ids: ReadonlySet<string>): void {
    for (const changed of pending) for (const id of ids) changed.ids.add(id);
    asking.clear();
    for (const [token, { principal }] of tokens.entries()) {
      if (concerns(principal.caller, ids)) tokens.delete(token);
    }
  }

  function dropAll(): void {
    for (const changed of pending) changed.all = true;
    asking.clear();
    tokens.clear();
    unknown.clear();
  }

  return { principal, known, drop, dropAll };
}

/** What is known of a token at a place lies apart from what is known of it elsewhere. */
const keyOf = (token: string, { space, site }: Place = {}) =>
  space === undefined && site === undefined ? token : `${token} ${space ?? ""} ${site ?? ""}`;

function concerns(caller: TokenCaller, ids: ReadonlySet<string>): boolean {
  if (caller.kind === "integration") {
    const { integration, installation, organization, token } = caller;
    return [integration, installation, organization, token].some((id) => id !== undefined && ids.has(id));
  }
  if (caller.kind === "reader")
    return [caller.organization, caller.site, caller.token].some((id) => ids.has(id));
  const { id, token, organizations } = caller;
  if (ids.has(id) || ids.has(token)) return true;
  for (const organization in organizations) if (ids.has(organization)) return true;
  return false;
}
