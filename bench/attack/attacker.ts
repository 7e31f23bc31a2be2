import { setPriority } from "node:os";
import { cases, type Attack } from "./cases.ts";

/** A process of its own that runs one abuse case until it is ended, at the lowest priority: its own CPU is not the service's. */
setPriority(19);
// The benchmark was killed: nothing else would end this.
process.once("disconnect", () => process.exit());
const counts: Record<string, number> = {};
// Loading this program is no part of an attack.
process.send?.("ready");
process.on("message", (message: { attack: Attack; name: string } | "collect") => {
  if (message === "collect") process.send?.(counts);
  else cases[message.name]?.(message.attack, (what) => (counts[what] = (counts[what] ?? 0) + 1));
});
