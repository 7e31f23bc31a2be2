import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Creates a folder that is removed when the test ends. Other users may enter it: if the tests run as root, PostgreSQL
 * runs as another user.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
