import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { runChildProgram } from "./child_program.ts";
import type { Log } from "./log.ts";

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

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

/** A process that runs a program that hangs: no signal but SIGKILL ends it. */
async function startWithHangingProgram() {
  const file = join(temporaryFolder(), "program.mjs");
  writeFileSync(
    file,
    `for (const event of ["SIGTERM", "disconnect"]) process.on(event, () => undefined);
    setInterval(() => undefined, 1_000);
    process.send({ url: String(process.pid) });`,
  );
  // A file: the program gets the flags of the process that runs it, --eval included.
  const script = join(temporaryFolder(), "parent.mjs");
  writeFileSync(
    script,
    `const { runChildProgram } = await import(${JSON.stringify(join(import.meta.dirname, "child_program.ts"))});
    const { shutdownTimeout, stopOnSignals } = await import(${JSON.stringify(join(import.meta.dirname, "signals.ts"))});
    const log = { info() {}, error() {} };
    shutdownTimeout.ms = 2_000;
    const program = await runChildProgram(${JSON.stringify(file)}, [], process.env, log);
    stopOnSignals(log, program.stop);
    process.on("SIGUSR2", () => process.exit(7));
    process.send(Number(program.url()));`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [pid] = (await once(parent, "message")) as [number];
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return { parent, pid };
}

test("a program that hangs is killed while there is time to stop the rest", async () => {
  const { parent, pid } = await startWithHangingProgram();
  parent.kill("SIGTERM");
  expect(await once(parent, "exit")).toEqual([0, null]);
  expect(isAlive(pid)).toBe(false);
});

test("a program that hangs ends with the process that runs it, however that exits", async () => {
  const { parent, pid } = await startWithHangingProgram();
  parent.kill("SIGUSR2");
  expect(await once(parent, "exit")).toEqual([7, null]);
  await eventually("it has ended", () => !isAlive(pid));
});
