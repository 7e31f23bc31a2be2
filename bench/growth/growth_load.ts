import { setTimeout as delay } from "node:timers/promises";
import { createLog } from "../../runtime/log.ts";
import type { ApiFunction } from "../../server/database/api_definition.ts";
import { api } from "../../server/database/api_functions.ts";
import { openDatabase, type Database } from "../../server/database/database.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";
import { phoneOf, refreshTokenId, sessionId } from "./rows.ts";

/** Between two calls: 50 calls per second. */
const defaultIntervalMs = 20;
const names = new Map<object, string>(Object.entries(api).map(([name, fn]) => [fn, name]));

export interface Calls {
  /** Milliseconds from the time at which each call was due. */
  durations: number[];
  errors: string[];
}

export interface Load {
  /** Returns the calls since the last collect(). */
  collect: () => Calls;
  stop: () => Promise<void>;
}

/** A kind of call: `run` makes one, with new arguments. */
export interface Kind {
  name: string;
  run: (database: Database) => Promise<{ error?: { code: string } | null }>;
}

function kind<Args extends object>(fn: ApiFunction<Args, unknown>, args: () => Args): Kind {
  return { name: names.get(fn) ?? "", run: (database) => database.call(fn, args()) };
}

const otpFor = (phone: string, { codeKey, picker }: GrowthDatabase) => ({
  ...{ identifier: phone, identifier_type: "PHONE", purpose: "LOGIN" },
  ...{ client: picker.client(), code_key: codeKey, country: "US", number_type: "MOBILE" },
  ...{ languages: [], autofill_origin: null, autofill_app_hash: null },
});

/** The short calls of all kinds, with rows that nothing else uses. */
export function shortCalls(database: GrowthDatabase): Kind[] {
  const { picker } = database;
  const { reserved } = picker;
  const session = () => {
    const number = reserved.session();
    return { session_id: sessionId(number), refresh_token_id: refreshTokenId(number) };
  };
  return [
    kind(api.create_guest_session, () => ({ client: picker.client(), user_agent: "bench" })),
    kind(api.refresh_session, () => ({ ...session(), client: picker.client(), user_agent: "bench" })),
    kind(api.send_otp, () => otpFor(phoneOf(reserved.account()), database)),
    kind(api.authorize, session),
  ];
}

/**
 * Starts a load of calls that take turns by kind, with the server's own database client. Calls start at fixed times and not after
 * the previous result, so that every call during a stall is measured.
 */
export async function startLoad(
  { serverUrl }: GrowthDatabase,
  kinds: Kind[],
  intervalMs = defaultIntervalMs,
): Promise<Load> {
  const database = openDatabase(serverUrl, createLog("bench", "warn"), { fast: 10, password: 2 });
  await database.prepareStatements();

  let durations: number[] = [];
  let errors: string[] = [];
  const inFlight = new Set<Promise<void>>();
  async function call({ name, run }: Kind, due: number): Promise<void> {
    try {
      const { error } = await run(database);
      if (error) errors.push(`${name}: ${error.code}`);
    } catch (error) {
      errors.push(`${name}: ${(error as Error).message}`);
    }
    durations.push(performance.now() - due);
  }

  let stopping = false;
  async function run(): Promise<void> {
    const began = performance.now();
    for (let index = 0; !stopping; index++) {
      const due = began + index * intervalMs;
      await delay(Math.max(0, due - performance.now()));
      const next = kinds[index % kinds.length];
      if (!next) return;
      const calling = call(next, due);
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
