import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

// npm test: types and lint run beside the tests, which mostly wait. What they say is printed as a whole, when they end.

const others = ["typecheck", "lint"].map(async (script) => {
  const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  console.log(`\nnpm run ${script}: ${code === 0 ? "passed" : "failed"}\n${out}${error}`);
  return code === 0 ? [] : [`npm run ${script}`];
});
const tests = spawn("npm", ["run", "--silent", "test:run", "--", ...process.argv.slice(2)], { stdio: "inherit" });
const [code] = (await once(tests, "close")) as [number | null];
const failed = [...(code === 0 ? [] : ["npm run test:run"]), ...(await Promise.all(others)).flat()];
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}.`);
  process.exitCode = 1;
}
