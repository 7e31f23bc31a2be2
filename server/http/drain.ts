import type { RequestListener, Server, ServerResponse } from "node:http";
import { setImmediate as immediate } from "node:timers/promises";

/** How long requests in flight may go on once the server takes no more; those that wait for an SMS then ask the row. */
const drainMs = 2_000;

/** For the answers of requests that were told to end. */
const graceMs = 500;

const quietTurnMs = 0.1;
const longestSearchMs = 500;

export interface Drain {
  /** Whether the server stops: it still answers, but is not ready, and proxies must send requests elsewhere. */
  isStopping: () => boolean;
  /** The same listener, whose responses close their connections once the server stops. */
  track: (listener: RequestListener) => RequestListener;
  /** From now on every response, also of requests in flight, says Connection: close. */
  begin: () => void;
  /**
   * Closes the listening socket and the idle connections, and waits for the requests in flight.
   * @param releaseWaiters ends the requests that wait for something other than the database
   */
  finish: (http: Server, releaseWaiters: () => void) => Promise<void>;
}

/**
 * Stops an HTTP server without losing requests. A client that may reuse its connection can send a request at the moment at
 * which the server closes it, and may not repeat it, so every connection is given up by a response before the server closes.
 */
export function createDrain(): Drain {
  const inFlight = new Set<ServerResponse>();
  let stopping = false;

  function closeAfter(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader("Connection", "close");
  }

  return {
    isStopping: () => stopping,
    track: (listener) => (request, response) => {
      if (stopping) closeAfter(response);
      inFlight.add(response);
      response.once("close", () => inFlight.delete(response));
      listener(request, response);
    },
    begin() {
      stopping = true;
      inFlight.forEach(closeAfter);
    },
    async finish(http, releaseWaiters) {
      // Closing resets the connections that wait to be accepted, and what was sent over them. So right after a turn of the event loop in
      // which it accepted whatever waited and had next to nothing else to do.
      await immediate();
      const latest = performance.now() + longestSearchMs;
      for (let began = performance.now(); began < latest; began = performance.now()) {
        await immediate();
        if (performance.now() - began < quietTurnMs) break;
      }
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeIdleConnections();
      const overdue = setTimeout(() => {
        releaseWaiters();
        setTimeout(() => http.closeAllConnections(), graceMs).unref();
      }, drainMs);
      await closed;
      clearTimeout(overdue);
    },
  };
}
