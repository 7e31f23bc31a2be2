import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

/**
 * Result of one attempt to take the advisory lock that a launcher (the process that started PostgreSQL) holds while it
 * runs.
 */
export interface LockAttempt {
  client: Client;
  acquired: boolean;
  /** Process id of the launcher. */
  launcher: number;
  /** server_version_num, for example 180004. */
  version: number;
}

const TRY_LOCK = `
  select pg_try_advisory_lock(hashtextextended('latchkey launcher', 0)) as acquired,
         current_setting('cluster_name') as cluster,
         current_setting('server_version_num')::int as version`;

/** Value of cluster_name: tells a later start the launcher's process id. ps shows it too. */
export function clusterName(): string {
  return `latchkey-${process.pid}`;
}

/** Connects and tries to take the lock without waiting. The caller closes the connection. */
export async function tryLauncherLock(url: string): Promise<LockAttempt> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The server may end at any moment; a pending query reports that.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ acquired: boolean; cluster: string; version: number }>(TRY_LOCK);
    const { acquired = false, cluster = "", version = 0 } = rows[0] ?? {};
    return { client, acquired, launcher: Number(cluster.replace("latchkey-", "")), version };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Holds the lock until release(). If the connection is lost (one crashed backend ends them all), takes it on a new one.
 */
export class LauncherLock {
  readonly version: number;
  readonly #url: string;
  #client: Client;
  #released = false;

  private constructor(url: string, attempt: LockAttempt) {
    this.#url = url;
    this.version = attempt.version;
    this.#client = attempt.client;
    this.#watch();
  }

  /** Waits while a second launcher briefly holds the lock to test it. @throws when the connection fails */
  static async take(url: string): Promise<LauncherLock> {
    for (;;) {
      const attempt = await tryLauncherLock(url);
      if (attempt.acquired) return new LauncherLock(url, attempt);
      await attempt.client.end();
      await delay(20);
    }
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client.end();
  }

  #watch(): void {
    this.#client.once("end", () => void this.#reacquire());
  }

  async #reacquire(): Promise<void> {
    while (!this.#released) {
      await delay(100);
      const attempt = await tryLauncherLock(this.#url).catch(() => undefined);
      if (!attempt) continue;
      // release() may have been called while we connected.
      if (!attempt.acquired || this.#isReleased()) {
        await attempt.client.end();
        continue;
      }
      this.#client = attempt.client;
      this.#watch();
      return;
    }
  }

  #isReleased(): boolean {
    return this.#released;
  }
}
