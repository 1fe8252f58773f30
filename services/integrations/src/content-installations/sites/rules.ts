import type { Call } from "../../trpc.js";
import { SITE } from "../kinds.js";
import { installOn, uninstallFrom, updateOn } from "../rules/change.js";
import { getOn, listOf, listOfAll } from "../rules/read.js";
import type { GetOnSite, InstallOnSite, List, ListOfIntegration, OnSite, UpdateOnSite } from "../schema.js";

// Installations on single sites.

/** Lists the sites that an installation is installed on by themselves; 403 for who may not install. */
export const list = ({ ctx, input }: Call<typeof List>) => listOf(ctx, SITE, input);

/** Lists the installations of an integration on single sites, of the organizations that the caller may install in. */
export const listOfIntegration = ({ ctx, input }: Call<typeof ListOfIntegration>) =>
  listOfAll(ctx, SITE, input);

/** Installs on a site; 404 for one out of reach, 403 for who may not install there, 409 where it is installed. */
export const install = ({ ctx, input: { siteId: content, ...input } }: Call<typeof InstallOnSite>) =>
  installOn(ctx, SITE, { ...input, content });

/** Returns the installation on a site, to the integration and to members who may read; 404 to all others. */
export const get = ({ ctx, input: { siteId: content, ...input } }: Call<typeof GetOnSite>) =>
  getOn(ctx, SITE, { ...input, content });

/** Changes the installation on a site; 404 for one out of reach, 403 for who may not install there. */
export const update = ({ ctx, input: { siteId: content, ...input } }: Call<typeof UpdateOnSite>) =>
  updateOn(ctx, SITE, { ...input, content });

/** Removes the installation on a site; 403 for who may not install there. No error when there is none. */
export const uninstall = ({ ctx, input: { siteId: content, ...input } }: Call<typeof OnSite>) =>
  uninstallFrom(ctx, SITE, { ...input, content });
