import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { test } from "../testing/fixtures.ts";

/** Writes the URL of each module that the process loads, by import or require. */
const hooks = `import { registerHooks } from "node:module";
registerHooks({
  load(url, context, nextLoad) {
    process.stdout.write("loaded " + url + "\\n");
    return nextLoad(url, context);
  },
});`;

test("a worker that starts loads no vendor's library: each is loaded for its first message", async ({ database }) => {
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, join(import.meta.dirname, "main.ts")],
    { env: { ...process.env, ...database.env, LOG_LEVEL: "info" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await eventually("the worker has started", () => output.includes("the worker is waiting for jobs"));
  const packages = [...output.matchAll(/^loaded file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
    ([, name]) => name,
  );
  expect(packages).toContain("graphile-worker");
  expect(packages.filter((name) => /^(twilio|@aws-sdk\/.*|@vonage\/.*|nodemailer)$/.test(name ?? ""))).toEqual([]);
});
