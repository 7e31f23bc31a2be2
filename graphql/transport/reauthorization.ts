import type { Turns } from "../turns.ts";
import { Unauthorized, type Authorizer } from "../authorization/authorizer.ts";
import { RoleRefused } from "../authorization/session_variables.ts";
import { sessionOf, userOf, type SocketEntry } from "./socket_table.ts";

interface Options {
  authorizer: Authorizer;
  /** Limits concurrent calls of the webhook; sessions take turns. */
  queue: Turns;
  /** Called when the socket is authorized again. */
  onAuthorized: (entry: SocketEntry) => void;
  /** Called when the session was revoked or has expired. */
  onUnauthorized: (entry: SocketEntry) => void;
}

/**
 * Authorizes a socket again each time `entry.sessionChange` is notified, until it is closed. Notifications that arrive
 * before the webhook is called cost one call together.
 */
export async function keepAuthorized(
  entry: SocketEntry,
  { authorizer, queue, onAuthorized, onUnauthorized }: Options,
): Promise<void> {
  const reauthorize = async (): Promise<void> => {
    if (entry.sessionChange.isClosed) return;
    entry.sessionChange.reset();
    try {
      const caller = await authorizer.authorize(entry.headers, entry.caller.address ?? "");
      // The socket table indexes the socket by both.
      const isSame = sessionOf(caller) === sessionOf(entry.caller) && userOf(caller) === userOf(entry.caller);
      if (!isSame) throw new Unauthorized("another session", {});
      entry.caller = { ...entry.caller, ...caller };
      onAuthorized(entry);
    } catch (error) {
      if (error instanceof Unauthorized || error instanceof RoleRefused) onUnauthorized(entry);
      // The webhook is unavailable: keep the socket and retry, each at another time.
      else setTimeout(() => entry.sessionChange.notify(), 500 + Math.random() * 1_000).unref();
    }
  };
  while (await entry.sessionChange.wait()) await queue.run(sessionOf(entry.caller) ?? "admin", reauthorize);
}
