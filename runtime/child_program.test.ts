import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { runChildProgram } from "./child_program.ts";
import type { Log } from "./log.ts";

test("a program that cannot be started again is tried again, and the process that runs it goes on", async () => {
  const file = join(temporaryFolder(), "program.mjs");
  // In place of an address.
  writeFileSync(file, "process.send({ url: String(process.pid) }); process.once('disconnect', () => process.exit());");
  const error = vi.fn();
  const program = await runChildProgram(file, [], process.env, { error } as unknown as Log);
  onTestFinished(program.stop);
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = "/no/such/program";
  process.kill(Number(program.url()), "SIGKILL");
  await eventually("it was tried", () =>
    error.mock.calls.some(([, text]) => text === "a program could not be started"),
  );
  expect(program.url()).toBeUndefined();
  process.execPath = execPath;
  await eventually("it listens again", () => program.url() !== undefined);
});
