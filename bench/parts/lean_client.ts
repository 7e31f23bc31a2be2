import { Pool } from "undici";
import type { Tokens } from "../../testing/service/rest_client.ts";

export interface LeanClient {
  /** @throws Error when the request failed */
  get: (path: string, headers?: Record<string, string>) => Promise<unknown>;
  /** @throws Error when the request failed */
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<unknown>;
  close: () => Promise<void>;
}

/**
 * Creates an HTTP client for JSON that uses little CPU (fetch uses six times as much), because it shares the cores with
 * the service.
 */
export function createLeanClient(url: string, connections: number): LeanClient {
  const pool = new Pool(url, { connections });
  const request = async (options: Parameters<Pool["request"]>[0]): Promise<unknown> => {
    const answer = await pool.request(options);
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${options.path}: ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  return {
    get: (path, headers = {}) => request({ path, method: "GET", headers }),
    post: (path, body, headers = {}) =>
      request({
        path,
        method: "POST",
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    close: () => pool.close(),
  };
}

/** The tokens of one of our answers. @throws Error when there are none */
export function dataOf(answer: unknown): Tokens {
  const { data } = answer as { data: Tokens };
  if (typeof data.access_token !== "string") throw new Error(`no tokens: ${JSON.stringify(answer)}`);
  return data;
}

/** The header by which a proxy names client number `client`: one client that sends all requests would be refused. */
export const from = (client: number): Record<string, string> => ({
  "x-forwarded-for": `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
});

let strangers = 0;
/** A phone and a client that no limit has counted yet. */
export function nextStranger(): { phone: string; headers: Record<string, string> } {
  const number = strangers++;
  return { phone: `+1212${2_000_000 + number}`, headers: from(number) };
}
