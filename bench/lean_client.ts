import { Pool } from "undici";

export interface LeanClient {
  /** GETs a path and returns the parsed response. @throws Error when the status is not 200 */
  get: (path: string, headers?: Record<string, string>) => Promise<unknown>;
  /** POSTs a JSON body and returns the parsed response. @throws Error when the status is not 200 */
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Creates an HTTP client that uses little CPU (fetch uses six times as much), because it shares the cores with the service. */
export function createLeanClient(url: string, connections: number): LeanClient {
  const pool = new Pool(url, { connections });
  const request = async (options: Parameters<Pool["request"]>[0]): Promise<unknown> => {
    const answer = await pool.request(options);
    const parsed = await answer.body.json();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${JSON.stringify(parsed)}`);
    return parsed;
  };
  return {
    get: (path, headers = {}) => request({ path, method: "GET", headers }),
    post: (path, body, headers = {}) =>
      request({
        path,
        method: "POST",
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    close: () => pool.close(),
  };
}
