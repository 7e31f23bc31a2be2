import pg from "pg";
import { isReadOnly } from "../../runtime/database_errors.ts";
import type { Log } from "../../runtime/log.ts";
import { within } from "../../runtime/within.ts";

/** How long the database may take to answer, in milliseconds. */
const deadlineMs = 1_000;

/** How long a result is cached: a flood of probes costs one round trip per second. */
const cacheMs = 1_000;

export interface Readiness {
  /**
   * Resolves with the names of the parts that are not ready, in alphabetical order; never rejects. The names: database (no answer, or read-only), listener (LISTEN is not
   * connected), stopping, and those of api.check_readiness (provider, schema, worker).
   */
  failed: () => Promise<string[]>;
  /** Makes the server unready from now on, so that load balancers stop sending requests before it closes. */
  stop: () => void;
}

interface Options {
  /** Returns the column `failed` of api.check_readiness. */
  check: () => Promise<string[]>;
  /** Called while the database is read-only, and once after that: connections that only read would otherwise stay on the standby. */
  renewReads: () => void;
  listener: { isConnected: () => boolean };
  log: Log;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** Creates what GET /ready reports. Every change is logged. */
export function createReadiness(options: Options): Readiness {
  const { listener, log, now = () => performance.now() } = options;
  let stopping = false;
  let wasReadOnly = false;
  let cached: { failed: string[]; at: number } | undefined;
  let pending: Promise<string[]> | undefined;
  let logged = "";

  async function check(): Promise<string[]> {
    const checked = options.check().then(
      (failed) => {
        if (wasReadOnly) options.renewReads();
        wasReadOnly = false;
        return failed;
      },
      (error: unknown) => {
        wasReadOnly ||= isReadOnly(error);
        if (isReadOnly(error)) options.renewReads();
        return [isNotMigrated(error) ? "schema" : "database"];
      },
    );
    const failed = (await within(deadlineMs, checked)) ?? ["database"];
    return [...failed, ...(listener.isConnected() ? [] : ["listener"])].sort();
  }

  async function refresh(): Promise<string[]> {
    const failed = await check();
    cached = { failed, at: now() };
    pending = undefined;
    logChange(failed);
    return failed;
  }

  function logChange(failed: string[]): void {
    const names = failed.join(", ");
    if (names === logged) return;
    logged = names;
    if (names === "") log.info("the server is ready again");
    else log.warn({ failed }, "the server is not ready");
  }

  const isStopping = () => stopping;

  return {
    async failed() {
      if (isStopping()) return ["stopping"];
      if (cached && now() - cached.at < cacheMs) return cached.failed;
      const failed = await (pending ??= refresh());
      // The server may have begun to stop meanwhile.
      return isStopping() ? ["stopping"] : failed;
    },
    stop: () => {
      stopping = true;
    },
  };
}

/** SQLSTATE 42 and 3F: a schema, function or table is missing, or may not be used. */
const isNotMigrated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(42|3F)/.test(error.code ?? "");
