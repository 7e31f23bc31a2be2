import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { z } from "zod";
import { DatabaseClient } from "./client.ts";
import type { Log } from "../log.ts";
import { requireOwnBackend } from "./pool.ts";
import { createThrottledWarning } from "../throttled_warning.ts";

const maxBackoffMs = 2_000;
/** An event of this module. No channel has this name: its space would have to be quoted. */
const reconnected = "connected again";

/** The schema of each channel's payload. */
export type Channels = Record<string, z.ZodType>;

export interface Listener<C extends Channels> {
  /**
   * Calls back with the parsed payload of each notification on the channel. A payload that does not fit the channel's
   * schema, and a callback that throws, are logged and ignored.
   * @returns a function that ends the subscription
   */
  on: <Name extends keyof C>(channel: Name, callback: (payload: z.output<C[Name]>) => void) => () => void;
  /** Calls back after each reconnect: notifications may have been missed. */
  onReconnect: (callback: () => void) => void;
  /** Whether LISTEN is active now. */
  isConnected: () => boolean;
  stop: () => Promise<void>;
}

/**
 * LISTENs on channels over a connection of its own, and reconnects with backoff. Resolves once LISTEN is active.
 * @param address the direct address, and the variable to set to it: LISTEN needs a session, which a transaction pooler does not keep
 * @param watchMs interval of queries that check the connection, because a firewall or a failover may drop it silently
 * @param silenceMs after this time without an answer the connection is replaced
 */
export async function startListener<C extends Channels>(
  { url, variable }: { url: string; variable: string },
  channels: C,
  log: Log,
  { watchMs = 5_000, silenceMs = 10_000 } = {},
): Promise<Listener<C>> {
  const callbacks = new Map<string, Set<(payload: unknown) => void>>();
  const warn = createThrottledWarning(log, "a notification was ignored");
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  let isConnected = false;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const candidate = new DatabaseClient({
      connectionString: url,
      connectionTimeoutMillis: silenceMs,
      query_timeout: silenceMs,
      keepAlive: true,
      application_name: "latchkey listener",
    });
    try {
      // Before connecting: an 'error' event without a listener ends the process.
      candidate.on("error", (error) => log.warn({ err: error.message }, "the listening connection failed"));
      await candidate.connect();
      await requireOwnBackend(candidate, variable);
      const names = Object.keys(channels);
      await candidate.query(names.map((channel) => `listen ${channel}`).join("; "));
    } catch (error) {
      await candidate.end().catch(() => undefined);
      throw error;
    }
    candidate.on("notification", ({ channel, payload }) => receive(channel, payload ?? ""));
    isConnected = true;
    const watch = setInterval(() => {
      candidate.query("select").catch(() => candidate.end().catch(() => undefined));
    }, watchMs).unref();
    candidate.on("end", () => {
      clearInterval(watch);
      isConnected = false;
      if (!isStopped()) void reconnect();
    });
    return candidate;
  }

  async function reconnect(): Promise<void> {
    for (let backoffMs = 100; !isStopped(); backoffMs = Math.min(2 * backoffMs, maxBackoffMs)) {
      try {
        client = await connect();
        break;
      } catch {
        await delay(backoffMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
    // stop() was called meanwhile, and ended only the previous connection.
    if (isStopped()) await client.end().catch(() => undefined);
    else emit(reconnected, undefined);
  }

  /** Any role that can log in may NOTIFY, so a payload may do no more than wake a callback. */
  function receive(channel: string, text: string): void {
    const parsed = channels[channel]?.safeParse(text);
    if (parsed?.success) emit(channel, parsed.data);
    // Never log the payload: it may hold anything.
    else warn(channel, parsed?.error.issues[0]?.message ?? "unknown channel");
  }

  function emit(event: string, payload: unknown): void {
    for (const callback of callbacks.get(event) ?? []) {
      try {
        callback(payload);
      } catch (error) {
        warn(event, `a callback threw: ${(error as Error).message}`);
      }
    }
  }

  function subscribe(event: string, callback: (payload: unknown) => void): () => void {
    const subscribed = callbacks.get(event) ?? new Set();
    callbacks.set(event, subscribed.add(callback));
    return () => subscribed.delete(callback);
  }

  return {
    on: (channel, callback) => subscribe(String(channel), callback as (payload: unknown) => void),
    onReconnect: (callback) => void subscribe(reconnected, callback),
    isConnected: () => isConnected,
    async stop() {
      stopped.abort();
      await client.end().catch(() => undefined);
    },
  };
}
