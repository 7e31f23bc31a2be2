import { Pool } from "undici";

export interface LeanClient {
  /** POSTs a JSON body and returns the parsed response. @throws Error when the status is not 200 */
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Creates an HTTP client that uses little CPU (fetch uses six times as much), because it shares the cores with the service. */
export function createLeanClient(url: string, connections: number): LeanClient {
  const pool = new Pool(url, { connections });
  return {
    async post(path, body, headers = {}) {
      const answer = await pool.request({
        path,
        method: "POST",
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const parsed = await answer.body.json();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${JSON.stringify(parsed)}`);
      return parsed;
    },
    close: () => pool.close(),
  };
}
