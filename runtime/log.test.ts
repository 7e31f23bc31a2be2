import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { maskRecipient } from "./log.ts";

/** Logs the fields in a child process and returns its output. */
function outputOf(fields: object, level = "info"): string {
  const script = `import { createLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))};
    createLog("test", ${JSON.stringify(level)}).info(${JSON.stringify(fields)}, "a message");`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
}

const secret = "s3cret";
const secrets = {
  password: secret,
  newPassword: secret,
  otp: secret,
  code: secret,
  body: secret,
  token: secret,
  access_token: secret,
  refresh_token: secret,
  authorization: secret,
};

test("a line is JSON with name, level, time and message", () => {
  expect(JSON.parse(outputOf({ requestId: "x" }))).toMatchObject({
    name: "test",
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    requestId: "x",
    msg: "a message",
  });
});

test("secrets are redacted by their names, at the top level and in nested objects", () => {
  const line = outputOf({ ...secrets, request: secrets, error: { input: secrets }, kept: "kept" });
  expect(line).not.toContain(secret);
  expect(line.match(/\[redacted\]/g)).toHaveLength(3 * Object.keys(secrets).length);
  expect(line).toContain("kept");
});

test("lines below the configured level are not written", () => {
  expect(outputOf({}, "warn")).toBe("");
  expect(outputOf({}, "silent")).toBe("");
});

test.for(["throw new Error('unexpected')", "process.exit(1)", "Promise.reject(new Error('unexpected'))"])(
  "a process that ends by %s writes the line before it",
  (end) => {
    const log = `import { createLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))};`;
    const script = `${log} createLog("test", "info").info("the last line"); ${end};`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    expect(stdout).toContain("the last line");
  },
);

/** A program that logs so many lines of 3,000 characters, 100 of which are more than a pipe takes, and ends. */
const burst = (lines: number, end = "process.exit(3)") => `
  const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, "log.ts"))});
  const log = createLog("test", "info");
  for (let line = 0; line < ${lines}; line++) {
    log.info({ line, text: "x".repeat(3_000) });
    await null;
  }
  ${end};`;

test("a process that ends in the middle of a burst writes all of its lines, in their order", () => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", burst(100)], { encoding: "utf8" });
  const lines = stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual(
    Array.from({ length: 100 }, (_, line) => line),
  );
});

test("a reader that stalls does not keep the process from ending", async () => {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", burst(1_000, "setTimeout(() => process.exit(3), 300)")],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  // Nobody reads standard output.
  expect(await once(child, "exit")).toEqual([3, null]);
});

test.runIf(process.platform === "linux")("a full disk ends no process", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", burst(2)], {
    stdio: ["ignore", full, "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await once(child, "exit")).toEqual([3, null]);
});

test("a masked phone shows its last two digits", () => {
  expect(maskRecipient("+12125550123")).toBe("…23");
});

test.runIf(process.platform === "linux")(
  "a closed terminal neither ends the process nor prevents its exit",
  async () => {
    // Writing to an unmapped address fails with EIO, like writing to a closed terminal.
    const unwritable = openSync("/proc/self/mem", "r+");
    onTestFinished(() => closeSync(unwritable));
    const program = `const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, "log.ts"))});
      const log = createLog("test", "info");
      log.info("one");
      await new Promise(setImmediate);
      log.info("two");
      log.fatal("three");
      process.exit(3);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", unwritable, "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(await once(child, "exit")).toEqual([3, null]);
  },
);

test("a reader that goes away neither ends the process nor changes its exit code", async () => {
  const program = `const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, "log.ts"))});
    const log = createLog("test", "info");
    process.once("message", () => {
      log.info("a line that is written at once".repeat(200));
      setImmediate(() => {
        log.info("a line that waits for the end");
        process.exit(3);
      });
    });
    process.send("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "ignore", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  child.stdout!.destroy();
  child.send("go on");
  expect(await once(child, "exit")).toEqual([3, null]);
});

test("a reader that stalls does not block the process", async () => {
  const program = `const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, "log.ts"))});
    const log = createLog("test", "info");
    for (let line = 0; line < 100; line++) log.info("x".repeat(100_000));
    process.stderr.write("went on");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Nobody reads standard output.
  expect(String((await once(child.stderr, "data"))[0])).toBe("went on");
});
