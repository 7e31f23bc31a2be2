import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

/** One connection that asked for the lock which every launcher holds for as long as it lives. */
export interface LockAttempt {
  client: Client;
  held: boolean;
  /** The process that started the server. */
  launcher: number;
  version: number;
}

const TRY_LOCK = `
  select pg_try_advisory_lock(hashtextextended('latchkey launcher', 0)) as held,
         current_setting('cluster_name') as cluster,
         current_setting('server_version_num')::int as version`;

/** The name under which a server carries its launcher's process id (also shown by ps). */
export function clusterName(): string {
  return `latchkey-${process.pid}`;
}

export async function tryLauncherLock(url: string): Promise<LockAttempt> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The server may go at any moment; whoever waits for a query learns it there.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean; cluster: string; version: number }>(TRY_LOCK);
    const { held = false, cluster = "", version = 0 } = rows[0] ?? {};
    return { client, held, launcher: Number(cluster.replace("latchkey-", "")), version };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Holds the lock until it is let go, on a new connection if the first is lost (a backend's crash ends them all). */
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

  /** Fails at once when no connection can be made; waits while a second launcher only looks at the lock. */
  static async take(url: string): Promise<LauncherLock> {
    for (;;) {
      const attempt = await tryLauncherLock(url);
      if (attempt.held) return new LauncherLock(url, attempt);
      await attempt.client.end();
      await delay(20);
    }
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client.end();
  }

  #watch(): void {
    this.#client.once("end", () => void this.#takeAgain());
  }

  async #takeAgain(): Promise<void> {
    while (!this.#released) {
      await delay(100);
      const attempt = await tryLauncherLock(this.#url).catch(() => undefined);
      if (!attempt) continue;
      // release() may have come while we connected.
      if (!attempt.held || this.#isReleased()) {
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
