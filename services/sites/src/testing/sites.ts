import { createCoalescer } from "@octavo/shared/coalesce";
import type { Caller, ServiceName } from "@octavo/shared/contracts/callers";
import { createTxtLookup } from "@octavo/shared/dns/lookup";
import { createReaderTokens } from "@octavo/shared/reader-tokens";
import { type Roles, serviceTest, userWith } from "@octavo/shared/testing/service";
import { surroundingsOf } from "@octavo/shared/testing/surroundings";
import { contentAt } from "../content/client.js";
import type { Database } from "../db/database.js";
import { migrations } from "../migrations.js";
import { createProfileCache } from "../profiles.js";
import { router } from "../router.js";
import { createSpacesAt } from "../spaces-at.js";
import { createStructureCache } from "../tree/cache.js";
import { type Ctx, createCaller } from "../trpc.js";
import { startContent } from "./content.js";

const operations = createCaller(router);
const ada = (organizations: Roles) => userWith(organizations, { name: "Ada" });

/** The service above a content service that is one over HTTP as well. */
export async function testSites({
  dnsServers = ["127.0.0.1:9"],
  sitesDomain,
}: {
  dnsServers?: string[];
  sitesDomain?: string;
} = {}) {
  const around = surroundingsOf("sites", { sitesDomain });
  const { vault, ownIdentity, sign } = around;
  const content = await startContent(around);
  const client = contentAt({ url: content.url, ownIdentity });
  const service = await serviceTest<Database, Ctx, ReturnType<typeof operations>>({
    around,
    migrations,
    operations,
    resources: {
      content: client,
      vault,
      readerTokens: createReaderTokens(around.signingKey),
      lookupTxt: createTxtLookup(dnsServers),
      structures: createStructureCache(),
      spacesAt: createSpacesAt(),
      profiles: createProfileCache(),
      coalesce: createCoalescer(),
    },
  });
  service.atEnd(content.stop);

  const calling = async (caller: Caller, override: Partial<Ctx> = {}) =>
    service.call(caller, { identity: await sign(caller), ...override });

  return {
    ...service,
    content: { ...content, client },
    contextOf: (caller: Caller, identity?: string) => service.context(caller, { identity }),
    /** Calls as a user with these roles; in no organization at all without any. */
    as: (organizations: Roles = {}, override?: Partial<Ctx>) => calling(ada(organizations), override),
    /** A user with these roles, who may lose them later. */
    someone: async (organizations: Roles) => {
      const caller = ada(organizations);
      return { id: caller.id, api: await calling(caller) };
    },
    asService: (name: ServiceName) => calling({ kind: "service", service: name }),
  };
}
