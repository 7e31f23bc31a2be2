import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import type { Tokens } from "../../testing/service/rest_client.ts";

/** The means of an attacker: the service's URL, its own accounts and sessions, and any number of client addresses. */
export interface Attack {
  url: string;
  /** The superuser's URL of the database, for the control, which is not an attack. */
  databaseUrl: string;
  people: { phone: string; password: string }[];
  guests: string[];
  users: string[];
  /** Further sessions of the users, `sessionsPerUser` for each, in the users' order. */
  sessions: Tokens[];
}

export const sessionsPerUser = 3;

/**
 * Starts an abuse case, which runs until the process ends. It calls `count` with each response's status or error code.
 */
export type Case = (attack: Attack, count: Count) => void;
export type Count = (what: string | number) => void;

/** Runs `width` endless loops of the work. */
export const lanes = (width: number, work: (lane: number) => Promise<unknown>) => {
  const forever = async (lane: number) => {
    for (;;) await work(lane).catch(() => undefined);
  };
  for (let lane = 0; lane < width; lane++) void forever(lane);
};

/**
 * Starts the work every `pauseMs`, unless `most` of it has not ended. After SIGSTOP and SIGCONT it continues at this
 * rate.
 */
export async function each(pauseMs: number, most: number, work: (turn: number) => Promise<unknown>): Promise<never> {
  let running = 0;
  for (let turn = 0; ; turn++) {
    await delay(pauseMs);
    if (running >= most) continue;
    running++;
    void work(turn)
      .catch(() => undefined)
      .finally(() => running--);
  }
}

/** Posts to the service on its own connections, JSON unless the body is bytes. */
export function posting(url: string, connections: number) {
  const pool = new Pool(url, { connections });
  return async (path: string, body: object | Buffer, headers: Record<string, string> = {}) => {
    const answer = await pool.request({
      path,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
}
export const bearer = (token = "") => ({ authorization: `Bearer ${token}` });
export const from = (address: string) => ({ "x-forwarded-for": address });

export function graphql(url: string, count: Count, connections = 16) {
  const post = posting(url, connections);
  return async (
    token: string | undefined,
    query: string,
    variables: object = {},
    headers: Record<string, string> = {},
  ) => {
    const { status, text } = await post("/v1/graphql", { query, variables }, { ...bearer(token), ...headers });
    count(/"code":"([a-z-]+)"/.exec(text)?.[1] ?? status);
  };
}
