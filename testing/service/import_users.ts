import { importConfig } from "../../config/import_config.ts";
import { readLines } from "../../scripts/import/read_lines.ts";
import { runImport, type Counts } from "../../scripts/import/run_import.ts";
import { openUserStore } from "../../scripts/import/user_store.ts";
import type { TestDatabase } from "../postgres/test_database.ts";

export interface UserLine {
  phone: string;
  email?: string;
  password_hash?: string;
  created_at?: string;
}

export const toLines = (users: object[]): string => users.map((user) => `${JSON.stringify(user)}\n`).join("");

/** Imports users in this process, as npm run import does. @throws where a line is refused */
export async function importUsers({ env }: Pick<TestDatabase, "env">, users: UserLine[], cost = 4): Promise<Counts> {
  const config = importConfig(env);
  const store = await openUserStore({ config, cost, connections: 1 });
  try {
    return await runImport({
      keys: config,
      store,
      connections: 1,
      progress: () => undefined,
      lines: readLines(chunksOf(toLines(users))),
      refuse: (line, reason) => {
        throw new Error(`line ${line}: ${reason}`);
      },
    });
  } finally {
    await store.stop();
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- a stream of one chunk
async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
