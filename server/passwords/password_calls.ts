import type { ServerConfig } from "../../config/config.ts";
import type { Answer } from "../database/api_answers.ts";
import { lockKeyOf, type ApiFunction } from "../database/api_definition.ts";
import type { RequestIds } from "../../runtime/request_ids.ts";
import type { Database } from "../database/database.ts";
import { createImportedPasswords } from "./imported/imported_passwords.ts";
import { createPasswordQueue, type PasswordQueue } from "./password_queue.ts";

export interface PasswordCalls {
  /**
   * Calls a function that hashes a password, when it is the client's turn.
   * @param body the request's body, which its route has checked
   * @throws UnavailableError when too many calls wait
   */
  call: <Args extends { client: string }, Data>(
    fn: ApiFunction<Args, Data>,
    args: Args,
    body: unknown,
    request: RequestIds,
  ) => Promise<Answer<Data>>;
  /** The calls that run and wait, for the metrics. */
  queue: Pick<PasswordQueue, "runningCount" | "waitingCount">;
  stop: () => Promise<void>;
}

/** How many password calls may wait. */
const maxWaiting = 400;
/**
 * How long no other call may have come before passwords use every core. A hash cannot be interrupted, so a caller that
 * comes more often always finds a core that runs none.
 */
const aloneMs = 1_000;

type Config = Pick<ServerConfig, "PASSWORD_POOL_SIZE" | "PASSWORD_CALLS_PER_CLIENT" | "passwordKeys">;

export function createPasswordCalls(database: Pick<Database, "call" | "idleMs">, config: Config): PasswordCalls {
  const { PASSWORD_POOL_SIZE, PASSWORD_CALLS_PER_CLIENT: callsPerClient, passwordKeys } = config;
  const queue = createPasswordQueue({
    connections: PASSWORD_POOL_SIZE,
    spareConnections: 1,
    isAlone: () => database.idleMs() >= aloneMs,
    waiting: maxWaiting,
    callsPerClient,
  });
  const imported = createImportedPasswords({ passwordKeys, callsPerClient });
  return {
    queue,
    call(fn, args, body, request) {
      const queued = { client: args.client, subject: lockKeyOf(fn, args) };
      return imported.call(args.client, typedPassword(body, args), (more) =>
        queue.run(queued, () => database.call(fn, { ...args, ...more }, request)),
      );
    },
    stop: imported.stop,
  };
}

/** The password of the account as it is. */
function typedPassword(body: unknown, args: object): unknown {
  const { password, currentPassword } = body as Record<string, unknown>;
  return "current_password_prehash" in args ? currentPassword : password;
}
