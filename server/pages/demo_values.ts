import { within } from "../../runtime/within.ts";
import { api } from "../database/api_functions.ts";
import type { Database } from "../database/database.ts";

const deadlineMs = 1_000;

/**
 * What the page /demo has to know of the settings: the ways to sign in that it offers beside phone and password. While
 * the database does not answer, it offers no other.
 */
export const demoValues =
  (database: Pick<Database, "call">, rpId: string | null) => async (): Promise<{ ways: string }> => {
    const answer = await within(deadlineMs, database.call(api.list_sign_in_ways, { rp_id: rpId }));
    return { ways: answer?.data?.ways.join(" ") ?? "" };
  };
