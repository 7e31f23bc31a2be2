import ipaddr from "ipaddr.js";
import type { Caller, CallerClass } from "../../authorization/caller.ts";

export function callerClassOf({ audience, settings }: Caller): CallerClass {
  if (audience === "admin") return "admin";
  return settings.role === "latchkey_guest" ? "guests" : "users";
}

/**
 * Whose budget a request uses: the admin's, a user's, that of the guests of one address, or of one guest session behind
 * a proxy.
 */
export function principalOf(caller: Caller): string {
  const callerClass = callerClassOf(caller);
  if (callerClass === "admin") return "admin";
  const { "latchkey.user_id": user, "latchkey.session_id": session } = caller.settings;
  return (callerClass === "guests" ? identifyingAddress(caller) : user) || String(session);
}

/** Behind a proxy that TRUST_PROXY does not declare, many clients have the same address of these ranges. */
const sharedRanges = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

/** The caller's address if it identifies one client. */
function identifyingAddress({ address }: Caller): string | undefined {
  if (address === undefined) return undefined;
  const [host = ""] = address.split("/");
  const isOneClient = ipaddr.isValid(host) && !sharedRanges.has(ipaddr.parse(host).range());
  return isOneClient ? address : undefined;
}
