import type { RequestListener, Server, ServerResponse } from "node:http";
import { Server as TcpServer } from "node:net";
import { setImmediate as immediate } from "node:timers/promises";

/**
 * How long requests in flight may run after the server stopped accepting; those that wait for an SMS then read its row.
 */
const drainMs = 2_000;

/** Time for the answers of requests that were released. */
const graceMs = 500;

/** About the time of an idle turn of the event loop. */
const quietTurnMs = 0.005;
/** At the end of the search a turn of this length counts as idle, too. */
const shortTurnMs = 0.1;
const maxSearchMs = 500;

export interface Drain {
  /** Wraps a listener: its responses close their connections once the server is stopping. */
  track: (listener: RequestListener) => RequestListener;
  /** From now on every response has Connection: close, also those to requests in flight. */
  begin: () => void;
  /**
   * Closes the listening socket and idle connections, and waits for the requests in flight.
   * @param releaseWaiters releases requests that wait for something other than the database
   */
  finish: (http: Server, releaseWaiters: () => void) => Promise<void>;
}

/**
 * Stops an HTTP server without losing requests. A client that reuses a connection can send a request just when the
 * server closes it, and may not retry it; so a response with Connection: close ends every connection before the server
 * closes.
 */
export function createDrain(): Drain {
  const inFlight = new Set<ServerResponse>();
  let isStopping = false;

  function closeAfter(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader("Connection", "close");
  }

  return {
    track: (listener) => (request, response) => {
      if (isStopping) closeAfter(response);
      inFlight.add(response);
      response.once("close", () => inFlight.delete(response));
      listener(request, response);
    },
    begin() {
      isStopping = true;
      inFlight.forEach(closeAfter);
    },
    async finish(http, releaseWaiters) {
      // Closing resets connections that wait to be accepted. So close right after an idle turn of the event loop: by
      // then all connections that waited are accepted.
      await immediate();
      const searching = performance.now();
      for (let share = 0; share < 1;) {
        const began = performance.now();
        await immediate();
        const ended = performance.now();
        share = (ended - searching) / maxSearchMs;
        if (ended - began < quietTurnMs + share * shortTurnMs) break;
      }
      // Closes only the listening socket, at once: http.close() goes through all connections first, and others arrive
      // meanwhile.
      const closed = new Promise((resolve) => TcpServer.prototype.close.call(http, resolve));
      http.close();
      const overdue = setTimeout(() => {
        releaseWaiters();
        setTimeout(() => http.closeAllConnections(), graceMs).unref();
      }, drainMs);
      await closed;
      clearTimeout(overdue);
    },
  };
}
