import pg from "pg";
import { isReadOnly } from "../runtime/database/errors.ts";
import type { Log } from "../runtime/log.ts";
import { within } from "../runtime/within.ts";

/** How long the database may take to answer, in milliseconds. */
const deadlineMs = 1_000;

/** How long a result is cached: a flood of probes costs one round trip per second. */
const cacheMs = 1_000;

/** The result of api.check_readiness. */
export interface ReadinessCheck {
  failed: string[];
  undelivered: string[];
}

export interface Readiness {
  /**
   * Resolves with the names of what keeps this process from serving, in alphabetical order; never rejects. The names:
   * database (no answer, or read-only), listener (LISTEN is not connected), restored, schema, signing_key (other servers
   * sign with one that this server cannot open), stopping.
   */
  failed: () => Promise<string[]>;
  /** Resolves with the names of what keeps messages from being sent: database or schema, or email, provider and worker. */
  undelivered: () => Promise<string[]>;
  /** Makes the server unready from now on, so that load balancers stop sending requests before it closes. */
  stop: () => void;
}

interface Options {
  /** Calls api.check_readiness. */
  check: () => Promise<ReadinessCheck>;
  /**
   * Called while the database is read-only, and once after that: connections that only read would otherwise stay on the
   * standby.
   */
  renewReads: () => void;
  listener: { isConnected: () => boolean };
  log: Log;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Creates what GET /ready and GET /ready/delivery report, from one call for both. Every change is logged. */
export function createReadiness(options: Options): Readiness {
  const { listener, log, now = () => performance.now() } = options;
  let stopping = false;
  let wasReadOnly = false;
  let cached: (ReadinessCheck & { at: number }) | undefined;
  let pending: Promise<ReadinessCheck> | undefined;
  const logServing = logChanges(log, "the server is ready again", "the server is not ready");
  const logSending = logChanges(log, "messages can be sent again", "no message can be sent");

  async function check(): Promise<ReadinessCheck> {
    const checked = options.check().then(
      (result) => {
        if (wasReadOnly) options.renewReads();
        wasReadOnly = false;
        return result;
      },
      (error: unknown) => {
        wasReadOnly ||= isReadOnly(error);
        if (isReadOnly(error)) options.renewReads();
        return without(isNotMigrated(error) ? "schema" : "database");
      },
    );
    const { failed, undelivered } = (await within(deadlineMs, checked)) ?? without("database");
    return { failed: [...failed, ...(listener.isConnected() ? [] : ["listener"])].sort(), undelivered };
  }

  async function refresh(): Promise<ReadinessCheck> {
    const result = await check();
    cached = { ...result, at: now() };
    pending = undefined;
    logServing(result.failed);
    logSending(result.undelivered);
    return result;
  }

  const latest = async (): Promise<ReadinessCheck> =>
    cached && now() - cached.at < cacheMs ? cached : (pending ??= refresh());

  const isStopping = () => stopping;

  return {
    async failed() {
      if (isStopping()) return ["stopping"];
      const { failed } = await latest();
      // The server may have begun to stop meanwhile.
      return isStopping() ? ["stopping"] : failed;
    },
    undelivered: async () => (await latest()).undelivered,
    stop: () => {
      stopping = true;
    },
  };
}

/** Neither serves nor sends without this part. */
const without = (part: string): ReadinessCheck => ({ failed: [part], undelivered: [part] });

/** Returns a function that logs the names when they differ from those of its last call. */
function logChanges(log: Log, recovered: string, failing: string): (failed: string[]) => void {
  let logged = "";
  return (failed) => {
    const names = failed.join(", ");
    if (names === logged) return;
    logged = names;
    if (names === "") log.info(recovered);
    else log.warn({ failed }, failing);
  };
}

/** SQLSTATE 42 and 3F: a schema, function or table is missing, or may not be used. */
const isNotMigrated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(42|3F)/.test(error.code ?? "");
