import type { FairQueue } from "../../queues/fair_queue.ts";
import { Unauthorized, type Authorizer } from "../../authorization/authorize.ts";
import { sessionOf, userOf, type OpenSocket } from "./socket_table.ts";

interface Options {
  authorizer: Authorizer;
  /** Paces what the webhook is asked, by session. */
  queue: FairQueue;
  /** The socket's session was revoked, or has expired. */
  refused: (open: OpenSocket) => void;
  /** The socket is authorized still, so its live queries may be read again. */
  authorized: (open: OpenSocket) => void;
}

/**
 * Authorizes a socket again whenever its session is in doubt (OpenSocket.doubts), until the socket is removed. Doubts that
 * come before it is asked cost one request together.
 */
export async function keepAuthorized(
  open: OpenSocket,
  { authorizer, queue, refused, authorized }: Options,
): Promise<void> {
  const ask = async (): Promise<void> => {
    if (open.doubts.isOver) return;
    open.doubts.clear();
    try {
      const caller = await authorizer.authorize(open.headers, open.caller.address ?? "");
      // The table has found the socket by these until now.
      const same = sessionOf(caller) === sessionOf(open.caller) && userOf(caller) === userOf(open.caller);
      if (!same) throw new Unauthorized("another session");
      open.caller = { ...open.caller, ...caller };
      authorized(open);
    } catch (error) {
      if (error instanceof Unauthorized) refused(open);
      // While the webhook cannot be asked nothing is known against the socket. Not all ask again at the same moment.
      else setTimeout(() => open.doubts.mark(), 500 + Math.random() * 1_000).unref();
    }
  };
  while (await open.doubts.next()) await queue.run(sessionOf(open.caller) ?? "admin", ask);
}
