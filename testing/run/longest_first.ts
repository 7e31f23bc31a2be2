import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longer than their size says: they start programs and clusters. */
const long = [
  "db/run_pgtap.test.ts",
  "docs/backup.test.ts",
  "tests/admin/admin_accessibility.test.ts",
  "tests/start/start_errors.test.ts",
  "tests/start/start_pepper.test.ts",
  "docs/role_rotation.test.ts",
  "tests/http/fuzz.test.ts",
  "tests/graphql/sockets/socket_reading.test.ts",
].map((file) => join(import.meta.dirname, "..", "..", file));
const missing = long.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`not there: ${missing.join(", ")}`);

/**
 * Starts those files first. A clone that has run no tests would begin with the largest files, and a run that ends with
 * a long one leaves a core idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [first, others] = [true, false].map((isLong) =>
      sorted.filter((file) => long.includes(file.moduleId) === isLong),
    );
    return [...(first ?? []), ...(others ?? [])];
  }
}
