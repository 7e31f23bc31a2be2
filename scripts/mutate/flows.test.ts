import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

test.each(["SIGINT", "SIGTERM"] as const)("after %s no copy of the project is left", async (signal) => {
  const module = join(import.meta.dirname, "flows.ts");
  const program = `const { createFlowRunner } = await import(${JSON.stringify(module)});
    process.stdout.write(createFlowRunner().copy);
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const copy = String(((await once(child.stdout, "data")) as [Buffer])[0]);
  expect(existsSync(join(copy, "package.json"))).toBe(true);
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
  expect(existsSync(copy)).toBe(false);
});
