import { setTimeout as delay } from "node:timers/promises";
import { makeLog } from "../../runtime/log.ts";
import type { ApiFunction } from "../../server/database/api_functions.ts";
import { openDatabase, type Arguments } from "../../server/database/database.ts";
import type { GrowthDatabase } from "./cluster.ts";
import { phoneOf, refreshTokenId, sessionId } from "./rows.ts";

const everyMs = 20;

export interface Load {
  /** Milliseconds of each call since the last look, from the moment at which it was due. */
  collect: () => { taken: number[]; errors: string[] };
  stop: () => Promise<void>;
}

/**
 * 50 short calls a second by the server's own door to the database. They start by the clock and not when the one before was
 * answered, so that a stall is seen by every call that falls into it.
 */
export async function startLoad({ serverUrl, codeKey, picker }: GrowthDatabase): Promise<Load> {
  const database = openDatabase(serverUrl, makeLog("bench", "warn"), { fast: 10, password: 1 });
  await database.prepareStatements();
  const { reserved } = picker;
  const session = () => {
    const number = reserved.session();
    return { session_id: sessionId(number), refresh_token_id: refreshTokenId(number) };
  };
  const otp = () => ({
    ...{ identifier: phoneOf(reserved.account()), identifier_type: "PHONE", purpose: "LOGIN" },
    ...{ client: picker.client(), code_key: codeKey },
  });

  let taken: number[] = [];
  let errors: string[] = [];
  const inFlight = new Set<Promise<void>>();
  async function call(name: ApiFunction, values: () => Arguments, due: number): Promise<void> {
    try {
      const { error } = await database.call(name, values());
      if (error) errors.push(`${name}: ${error.code}`);
    } catch (error) {
      errors.push(`${name}: ${(error as Error).message}`);
    }
    taken.push(performance.now() - due);
  }
  const kinds = [
    (due: number) => call("create_guest_session", () => ({ client: picker.client() }), due),
    (due: number) => call("refresh_session", session, due),
    (due: number) => call("send_otp", otp, due),
    (due: number) => call("authorize", session, due),
  ];

  let stopping = false;
  async function run(): Promise<void> {
    const began = performance.now();
    for (let index = 0; !stopping; index++) {
      const due = began + index * everyMs;
      await delay(Math.max(0, due - performance.now()));
      const calling = kinds[index % kinds.length]?.(due);
      if (!calling) continue;
      inFlight.add(calling);
      void calling.then(() => inFlight.delete(calling));
    }
  }
  const running = run();

  return {
    collect() {
      const seen = { taken, errors };
      [taken, errors] = [[], []];
      return seen;
    },
    async stop() {
      stopping = true;
      await running;
      await Promise.all(inFlight);
      await database.stop();
    },
  };
}
