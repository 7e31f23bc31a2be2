import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "./log.ts";

const longestPause = 5_000;

export interface Listener {
  /** Calls back with the payload of each notification on the channel; result: stops doing so. */
  on: (channel: string, listener: (payload: string) => void) => () => void;
  /** Calls back whenever the connection is there again after a loss: notifications may have been missed. */
  onReconnect: (listener: () => void) => void;
  stop: () => Promise<void>;
}

/**
 * LISTENs on channels over a connection of its own and recovers by itself. Resolves once it listens.
 * Needs a session: a transaction pooler would take the connection away, so it takes the direct address.
 */
export async function startListener(url: string, channels: string[], log: Log): Promise<Listener> {
  const events = new EventEmitter().setMaxListeners(0);
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const candidate = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: "latchkey listener",
    });
    try {
      // Before connecting, because an 'error' that nobody hears ends the process.
      candidate.on("error", (error) => log.warn({ err: error.message }, "the listening connection failed"));
      await candidate.connect();
      await candidate.query(channels.map((channel) => `listen ${channel}`).join("; "));
    } catch (error) {
      await candidate.end().catch(() => undefined);
      throw error;
    }
    candidate.on("notification", ({ channel, payload }) => events.emit(`channel ${channel}`, payload ?? ""));
    candidate.on("end", () => {
      if (!isStopped()) void reconnect();
    });
    return candidate;
  }

  async function reconnect(): Promise<void> {
    for (let pause = 100; !isStopped(); pause = Math.min(2 * pause, longestPause)) {
      try {
        client = await connect();
        // stop() ended the connection before this one.
        if (isStopped()) await client.end();
        else events.emit("reconnect");
        return;
      } catch {
        await delay(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  return {
    on(channel, listener) {
      events.on(`channel ${channel}`, listener);
      return () => events.off(`channel ${channel}`, listener);
    },
    onReconnect: (listener) => void events.on("reconnect", listener),
    async stop() {
      stopped.abort();
      await client.end().catch(() => undefined);
    },
  };
}
