import { closeSync, openSync, writeSync } from "node:fs";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { MapEntry } from "./run_import.ts";

/**
 * Opens the file of --map, readable to its owner only: a JSON object for each line of the import. A second run writes
 * it again, whole, because lines that are there already are in it as well.
 * @throws OperatorError if it cannot be written
 */
export function openMap(path: string): { write: (entry: MapEntry) => void; close: () => void } {
  const file = attempt(path, () => openSync(path, "w", 0o600));
  return {
    write: (entry) => void attempt(path, () => writeSync(file, `${JSON.stringify(entry)}\n`)),
    close: () => closeSync(file),
  };
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(`The map cannot be written to ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
