import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const modules = ["signals.ts", "log.ts"].map((name) => JSON.stringify(join(import.meta.dirname, name)));

/**
 * Starts a process that prints "waiting" and handles signals. `stop` and `now` are the sources of what is passed to
 * stopOnSignals.
 */
async function startProcess(
  stop: string,
  now = "undefined",
): Promise<{ child: ChildProcess; nextOutput: () => Promise<string> }> {
  const program = `const { stopOnSignals } = await import(${modules[0]});
    const { createLog } = await import(${modules[1]});
    stopOnSignals(createLog("test", "error"), ${stop}, 0, ${now});
    setInterval(() => undefined, 60_000);
    process.stdout.write("waiting");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const nextOutput = async () => String((await once(child.stdout, "data"))[0]);
  expect(await nextOutput()).toBe("waiting");
  return { child, nextOutput };
}

test("a second SIGHUP for a closed terminal does not interrupt the shutdown", async () => {
  const { child, nextOutput } = await startProcess(`async () => {
    process.stdout.write("stopping");
    // This listener runs after the one of stopOnSignals.
    await new Promise((resolve) => process.once("SIGHUP", resolve));
  }`);
  const ended = once(child, "exit");
  child.kill("SIGHUP");
  expect(await nextOutput()).toBe("stopping");
  child.kill("SIGHUP");
  expect(await ended).toEqual([0, null]);
});

test("a SIGINT or SIGTERM a second after the first exits at once", async () => {
  const { child, nextOutput } = await startProcess(
    `() => {
      process.stdout.write("stopping");
      return new Promise(() => undefined);
    }`,
    "((times) => () => times.shift())([0, 1_000])",
  );
  const ended = once(child, "close").then(() => [child.exitCode, child.signalCode]);
  child.kill("SIGTERM");
  expect(await nextOutput()).toBe("stopping");
  let lines = "";
  child.stdout?.on("data", (chunk: Buffer) => (lines += chunk.toString()));
  child.kill("SIGINT");
  expect(await ended).toEqual([1, null]);
  expect(lines, "the time-out would log an error").toBe("");
});

test("the same signal that reaches a process group twice does not interrupt the shutdown", async () => {
  const { child, nextOutput } = await startProcess(
    `async () => {
      process.stdout.write("stopping");
      // This listener runs after the one of stopOnSignals.
      await new Promise((resolve) => process.once("SIGINT", resolve));
    }`,
    "((times) => () => times.shift())([0, 999])",
  );
  const ended = once(child, "exit");
  child.kill("SIGINT");
  expect(await nextOutput()).toBe("stopping");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});

test("output to a closed terminal does not end the process before the shutdown is complete", async () => {
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
