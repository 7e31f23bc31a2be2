import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readPostmasterFile } from "./postmaster_file.ts";

test("a file that its server removes while it is read tells of no server, and is no error", async () => {
  const data = mkdtempSync(join(tmpdir(), "latchkey-postmaster-file-"));
  const path = JSON.stringify(join(data, "postmaster.pid"));
  // Writes the file and removes it, over and over.
  const program = `const { writeFileSync, rmSync } = require("node:fs");
    for (;;) { writeFileSync(${path}, "0"); rmSync(${path}); }`;
  const child = spawn(process.execPath, ["--eval", program], { stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(data, { recursive: true, force: true });
  });
  // Code that looks for the file before it reads it fails within a hundred of these changes.
  let changes = 0;
  for (let before = false; changes < 2_000;) {
    expect(child.exitCode, "the writer lives").toBeNull();
    for (let reads = 0; reads < 1_000; reads++) {
      const there = readPostmasterFile(data) !== undefined;
      if (there !== before) changes++;
      before = there;
    }
    await immediate();
  }
});
