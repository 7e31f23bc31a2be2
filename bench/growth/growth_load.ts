import { setTimeout as delay } from "node:timers/promises";
import { createLog } from "../../runtime/log.ts";
import { api, type ApiFunction } from "../../server/database/api_functions.ts";
import { openDatabase } from "../../server/database/database.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";
import { phoneOf, refreshTokenId, sessionId } from "./rows.ts";

const intervalMs = 20;
const names = new Map<object, string>(Object.entries(api).map(([name, fn]) => [fn, name]));

export interface Load {
  /** Returns the calls since the last collect(): durations in milliseconds, measured from the time at which each call was due. */
  collect: () => { durations: number[]; errors: string[] };
  stop: () => Promise<void>;
}

/**
 * Starts 50 short calls per second with the server's own database client. Calls start at fixed times and not after the previous
 * result, so that every call during a stall is measured.
 */
export async function startLoad({ serverUrl, codeKey, picker }: GrowthDatabase): Promise<Load> {
  const database = openDatabase(serverUrl, createLog("bench", "warn"), { fast: 10, password: 1 });
  await database.prepareStatements();
  const { reserved } = picker;
  const session = () => {
    const number = reserved.session();
    return { session_id: sessionId(number), refresh_token_id: refreshTokenId(number) };
  };
  const otp = () => ({
    ...{ identifier: phoneOf(reserved.account()), identifier_type: "PHONE", purpose: "LOGIN" },
    ...{ client: picker.client(), code_key: codeKey, country: "US" },
    ...{ languages: [], autofill_origin: null, autofill_app_hash: null },
  });

  let durations: number[] = [];
  let errors: string[] = [];
  const inFlight = new Set<Promise<void>>();
  async function call<Args extends object>(
    fn: ApiFunction<Args, unknown>,
    args: () => Args,
    due: number,
  ): Promise<void> {
    const name = names.get(fn);
    try {
      const { error } = await database.call(fn, args());
      if (error) errors.push(`${name}: ${error.code}`);
    } catch (error) {
      errors.push(`${name}: ${(error as Error).message}`);
    }
    durations.push(performance.now() - due);
  }
  const kinds = [
    (due: number) => call(api.create_guest_session, () => ({ client: picker.client() }), due),
    (due: number) => call(api.refresh_session, session, due),
    (due: number) => call(api.send_otp, otp, due),
    (due: number) => call(api.authorize, session, due),
  ];

  let stopping = false;
  async function run(): Promise<void> {
    const began = performance.now();
    for (let index = 0; !stopping; index++) {
      const due = began + index * intervalMs;
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
      const collected = { durations, errors };
      [durations, errors] = [[], []];
      return collected;
    },
    async stop() {
      stopping = true;
      await running;
      await Promise.all(inFlight);
      await database.stop();
    },
  };
}
