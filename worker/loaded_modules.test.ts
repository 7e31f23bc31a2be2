import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { test } from "./fixtures/worker_harness.ts";

/** Writes the URL of each module that the process loads, by import or require. */
const hooks = `import { registerHooks } from "node:module";
registerHooks({
  load(url, context, nextLoad) {
    process.stderr.write("loaded " + url + "\\n");
    return nextLoad(url, context);
  },
});`;

test("a worker that starts loads no vendor's library: each is loaded for its first message", async ({
  harness,
  database,
}) => {
  const before = await harness.livenessPids();
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, join(import.meta.dirname, "main.ts")],
    { env: { ...process.env, ...database.env }, stdio: ["ignore", "ignore", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await harness.untilWorkerLives(before);
  const packages = [...output.matchAll(/^loaded file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
    ([, name]) => name,
  );
  expect(packages).toContain("graphile-worker");
  expect(
    packages.filter((name) => /^(twilio|@aws-sdk\/.*|@vonage\/.*|nodemailer)$/.test(name ?? "")),
  ).toEqual([]);
});
