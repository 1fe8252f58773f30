import http from "node:http";
import type { Application } from "express";

type Parent = (...args: unknown[]) => void;

/**
 * Classes for `http.createServer` whose prototypes are express' own. Express gives every request and response
 * another prototype; on Node 20 that makes each of them three times as slow. Here it changes nothing any more.
 */
export function sharedPrototypes(
  application: Application,
): Pick<http.ServerOptions, "IncomingMessage" | "ServerResponse"> {
  const app = application as Application & { request: object; response: object };
  const derive = (parent: unknown, prototype: object) => {
    function Derived(this: object, ...args: unknown[]) {
      (parent as Parent).apply(this, args);
    }
    Object.setPrototypeOf(Derived, parent as object);
    Derived.prototype = prototype;
    return Derived as unknown;
  };
  return {
    IncomingMessage: derive(http.IncomingMessage, app.request) as typeof http.IncomingMessage,
    ServerResponse: derive(http.ServerResponse, app.response) as typeof http.ServerResponse,
  };
}
