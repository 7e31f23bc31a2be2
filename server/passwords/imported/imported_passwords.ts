import { z } from "zod";
import type { PepperKey } from "../../../config/secrets/derived_keys.ts";
import { UndeclaredError } from "../../database/api_answers.ts";
import { createDigestQueue } from "./digest_queue.ts";
import { createDigestWorker } from "./digest_worker.ts";
import { prehashUnder } from "./stored_parameters.ts";

/** What a function takes when it is called again: the pre-hash under the parameters that it asked for. */
interface Prehash {
  foreign_prehash?: string;
}

export interface ImportedPasswords {
  /**
   * Makes a call, and a second one where its function asks for the pre-hash of a hash that another system made.
   * @param client the client's address, as limits count it
   * @param typed the password that the client typed
   */
  call: <T>(client: string, typed: unknown, attempt: (prehash: Prehash) => Promise<T>) => Promise<T>;
  stop: () => Promise<void>;
}

interface Options {
  passwordKeys: readonly PepperKey[];
  callsPerClient: number;
}

/**
 * Passwords whose hash another system made. Only the database knows which accounts have one: it answers
 * FOREIGN_PREHASH_REQUIRED with the parameters of the hash, or with those of a decoy, and what is computed from them
 * goes along with the same call once more. The first right login replaces the hash. SQL's part is in
 * db/functions/private/imports.
 */
export function createImportedPasswords({ passwordKeys, callsPerClient }: Options): ImportedPasswords {
  const queue = createDigestQueue({ callsPerClient });
  const worker = createDigestWorker();
  return {
    async call(client, typed, attempt) {
      try {
        return await attempt({});
      } catch (error) {
        const parameters = requestedParameters(error);
        if (parameters === undefined) throw error;
        const password = z.string().parse(typed);
        const foreign_prehash = await queue.run(client, () =>
          prehashUnder(passwordKeys, parameters, password, worker.compute),
        );
        return attempt({ foreign_prehash });
      }
    },
    stop: worker.stop,
  };
}

const request = z.object({
  code: z.literal("FOREIGN_PREHASH_REQUIRED"),
  details: z.object({ parameters: z.string() }),
});

const requestedParameters = (error: unknown): string | undefined =>
  error instanceof UndeclaredError ? request.safeParse(error.answered).data?.details.parameters : undefined;
