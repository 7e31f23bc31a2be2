import { setPriority } from "node:os";
import { cases } from "./attack_cases.ts";
import type { Attack } from "./means.ts";

/**
 * Child process that runs one abuse case until it is killed, at the lowest priority, so that it takes little CPU from
 * the service.
 */
setPriority(19);
// Exits when the benchmark is killed.
process.once("disconnect", () => process.exit());
const counts: Record<string, number> = {};
// The measurement starts after this program has loaded.
process.send?.("ready");
process.on("message", (message: { attack: Attack; name: string } | "collect") => {
  if (message === "collect") process.send?.(counts);
  else cases[message.name]?.(message.attack, (what) => (counts[what] = (counts[what] ?? 0) + 1));
});
