import assert from "node:assert/strict";
import console from "node:console";
import process from "node:process";

/** What the test passes to each program. */
export const { url, headers, notebook } = JSON.parse(process.env.LATCHKEY_TEST ?? "{}");

export { assert };

/**
 * Runs steps one after another and prints each one's name, with the error of one that failed.
 * @param {Record<string, () => Promise<void>>} all
 */
export async function run(all) {
  for (const [step, act] of Object.entries(all)) {
    try {
      await act();
      console.log(JSON.stringify({ step }));
    } catch (error) {
      console.log(JSON.stringify({ step, error: String(error?.message ?? error).slice(0, 2000) }));
    }
  }
  process.exit();
}
