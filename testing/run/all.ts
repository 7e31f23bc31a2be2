import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

// npm test: lint, which also checks types, runs beside the tests. What it says is printed as a whole, when it ends.

const lint = (async () => {
  const child = spawn("npm", ["run", "--silent", "lint"], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  console.log(`\nnpm run lint: ${code === 0 ? "passed" : "failed"}\n${out}${error}`);
  return code === 0 ? [] : ["npm run lint"];
})();
const tests = spawn("npm", ["run", "--silent", "test:run", "--", ...process.argv.slice(2)], { stdio: "inherit" });
const [code] = (await once(tests, "close")) as [number | null];
const failed = [...(code === 0 ? [] : ["npm run test:run"]), ...(await lint)];
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}.`);
  process.exitCode = 1;
}
