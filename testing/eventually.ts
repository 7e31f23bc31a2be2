import { setTimeout as delay } from "node:timers/promises";

const patienceMs = 30_000;

/** Resolves once the condition holds; the patience is for a slow machine and never the measure of anything. */
export async function eventually(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(20);
  }
}
