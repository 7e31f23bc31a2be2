import { parseUser, type ImportedUser, type ImportKeys } from "./parse_user.ts";
import { maxLineBytes, type Line } from "./read_lines.ts";
import type { UserStore } from "./user_store.ts";

export interface Counts {
  /** The number of lines, without blank ones. */
  lines: number;
  imported: number;
  /** The same line was imported before. */
  present: number;
  refused: number;
  bytesRead: number;
}

/** A line of the file that --map writes. */
export interface MapEntry {
  line: number;
  external_id: string | null;
  /** The account's id. */
  id: string;
}

interface Options {
  lines: AsyncGenerator<Line, void>;
  keys: ImportKeys;
  store: Pick<UserStore, "importUsers">;
  /** How many batches run at once. */
  connections: number;
  /** Reports a refused line. The reason holds no part of the line. */
  refuse: (line: number, reason: string) => void;
  /** Reports the account of a line that was imported, now or before. */
  map?: ((entry: MapEntry) => void) | undefined;
  progress: (counts: Counts) => void;
}

const reasons = {
  phone_taken: "its phone has another account, of Latchkey's own or of another line",
  id_taken: "its id has another account",
  external_id_taken: "its external_id has another account",
};

/** Users of a batch. It is one transaction, which holds its rows until it ends: a second at the default cost. */
const batchSize = 200;

interface NumberedUser {
  line: number;
  user: ImportedUser;
}

/** Imports lines in batches. Memory holds `connections` batches, however long the file is. */
export async function runImport({ lines, keys, store, connections, refuse, map, progress }: Options): Promise<Counts> {
  const counts: Counts = { lines: 0, imported: 0, present: 0, refused: 0, bytesRead: 0 };
  const refuseLine = (line: number, reason: string) => {
    counts.refused++;
    refuse(line, reason);
  };

  function parseLine({ number, text, bytesRead }: Line): NumberedUser | undefined {
    counts.bytesRead = bytesRead;
    if (text?.trim() === "") return undefined;
    counts.lines++;
    if (text === undefined) {
      refuseLine(number, `longer than ${maxLineBytes} bytes, or not UTF-8`);
      return undefined;
    }
    try {
      return { line: number, user: parseUser(text, keys) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refuseLine(number, error.message);
      return undefined;
    }
  }

  async function importBatch(batch: NumberedUser[]): Promise<void> {
    const outcomes = await store.importUsers(batch.map(({ user }) => user));
    for (const { line, user } of batch) {
      const result = outcomes.get(user);
      if (result?.outcome === "imported" || result?.outcome === "present") {
        counts[result.outcome]++;
        map?.({ line, external_id: user.external_id, id: result.id });
      } else refuseLine(line, reasons[result?.outcome ?? "phone_taken"]);
    }
    progress(counts);
  }

  let failed = false;
  const importBatches = async () => {
    // Loops that share a generator get its items one after another.
    for (let batch = await nextBatch(); batch.length > 0 && !failed; batch = await nextBatch())
      await importBatch(batch).catch((error: unknown) => {
        failed = true;
        throw error;
      });
  };
  async function nextBatch(): Promise<NumberedUser[]> {
    const batch: NumberedUser[] = [];
    while (batch.length < batchSize) {
      const next = await lines.next();
      if (next.done) break;
      const parsed = parseLine(next.value);
      if (parsed) batch.push(parsed);
    }
    return batch;
  }
  await Promise.all(Array.from({ length: connections }, importBatches));
  progress(counts);
  return counts;
}
