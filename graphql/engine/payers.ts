import ipaddr from "ipaddr.js";
import type { Caller } from "../authorization/caller.ts";

/** Queues serve the classes in turn, so that guests, who need no account, cannot delay users. */
export type CallerClass = "guests" | "users" | "admin";

/** Creates one value for each class. */
export const createPerClass = <T>(create: () => T): Record<CallerClass, T> => ({
  guests: create(),
  users: create(),
  admin: create(),
});

export function callerClassOf({ audience, settings }: Caller): CallerClass {
  if (audience === "admin") return "admin";
  return settings.role === "latchkey_guest" ? "guests" : "users";
}

/** The principal of a request that is not the admin's: a user with all of their sessions, or one guest session. */
export const principalOf = (settings: Caller["settings"]): string =>
  String(settings["latchkey.user_id"] || settings["latchkey.session_id"]);

/**
 * The key under which queues count a caller's requests: the admin, a user, the guests of one address, or one guest
 * session if its address does not identify a client.
 */
export function payerOf(caller: Caller): string {
  const callerClass = callerClassOf(caller);
  if (callerClass === "admin") return "admin";
  const address = callerClass === "guests" ? identifyingAddress(caller) : undefined;
  return address ?? principalOf(caller.settings);
}

/** Behind a proxy that TRUST_PROXY does not declare, many clients have the same address of these ranges. */
const sharedRanges = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

/** The caller's address if it identifies one client. */
export function identifyingAddress({ address }: Caller): string | undefined {
  if (address === undefined) return undefined;
  const [host = ""] = address.split("/");
  const isOneClient = ipaddr.isValid(host) && !sharedRanges.has(ipaddr.parse(host).range());
  return isOneClient ? address : undefined;
}
