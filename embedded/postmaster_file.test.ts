import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readPostmasterFile } from "./postmaster_file.ts";

test("a file that the server removes while it is read is no error and means that no server runs", async () => {
  const data = mkdtempSync(join(tmpdir(), "latchkey-postmaster-file-"));
  const path = JSON.stringify(join(data, "postmaster.pid"));
  // Writes and removes the file in an endless loop.
  const program = `const { writeFileSync, rmSync } = require("node:fs");
    for (;;) { writeFileSync(${path}, "0"); rmSync(${path}); }`;
  const child = spawn(process.execPath, ["--eval", program], { stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(data, { recursive: true, force: true });
  });
  // Code that calls existsSync() before it reads the file fails within a hundred of these changes.
  let changes = 0;
  for (let existed = false; changes < 2_000;) {
    expect(child.exitCode, "the writer lives").toBeNull();
    for (let reads = 0; reads < 1_000; reads++) {
      const exists = readPostmasterFile(data) !== undefined;
      if (exists !== existed) changes++;
      existed = exists;
    }
    await immediate();
  }
});
