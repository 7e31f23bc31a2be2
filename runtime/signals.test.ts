import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const modules = ["signals.ts", "log.ts"].map((name) => JSON.stringify(join(import.meta.dirname, name)));

/** A process that says that it waits for signals, and stops as the given function does. */
async function startProcess(stop: string): Promise<{ child: ChildProcess; said: () => Promise<string> }> {
  const program = `const { stopOnSignals } = await import(${modules[0]});
    const { createLog } = await import(${modules[1]});
    stopOnSignals(createLog("test", "error"), ${stop});
    setInterval(() => undefined, 60_000);
    process.stdout.write("waiting");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = async () => String((await once(child.stdout, "data"))[0]);
  expect(await said()).toBe("waiting");
  return { child, said };
}

test("a closed terminal of which the process is told twice does not cut its stop short", async () => {
  const { child, said } = await startProcess(`async () => {
    process.stdout.write("stopping");
    // Heard after the process's own listener.
    await new Promise((resolve) => process.once("SIGHUP", resolve));
  }`);
  const ended = once(child, "exit");
  child.kill("SIGHUP");
  expect(await said()).toBe("stopping");
  child.kill("SIGHUP");
  expect(await ended).toEqual([0, null]);
});

test("whoever asks a second time does not wait for the stop", async () => {
  const { child, said } = await startProcess(`() => {
    process.stdout.write("stopping");
    return new Promise(() => undefined);
  }`);
  const ended = once(child, "close").then(() => [child.exitCode, child.signalCode]);
  child.kill("SIGTERM");
  expect(await said()).toBe("stopping");
  let lines = "";
  child.stdout?.on("data", (chunk: Buffer) => (lines += chunk.toString()));
  child.kill("SIGINT");
  expect(await ended).toEqual([1, null]);
  expect(lines, "as it would where the stop took too long").toBe("");
});

test("what is written to a closed terminal does not end the process before it has stopped", async () => {
  const { child } = await startProcess(`async () => {
    process.stdout.write("stopping");
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }`);
  const ended = once(child, "exit");
  child.stdout?.destroy();
  await once(child.stdout!, "close");
  child.kill("SIGHUP");
  expect(await ended).toEqual([0, null]);
});
