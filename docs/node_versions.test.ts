import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "..", file), "utf8");
const readme = read("README.md");

/** Whether a version meets a range of package.json, as far as the ranges in package-lock.json go. */
function satisfies(version: number[], range: string): boolean {
  const meets = ([, operator, ...bound]: RegExpExecArray): boolean => {
    const parts = bound.filter(Boolean).map(Number);
    const difference = parts.map((part, index) => version[index]! - part).find((one) => one !== 0) ?? 0;
    if (operator === ">=") return difference >= 0;
    return version[0] === parts[0] && (operator === "^" ? difference >= 0 : difference === 0);
  };
  return range.split("||").some((one) => [...one.matchAll(/(>=|\^|)\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?/g)].every(meets));
}

test("npm ci warns of no dependency on the versions of Node that the README names", () => {
  const [, named = "", others = ""] = /Node 22 \(from (22\.\d+)\), ([\d ,]+ or \d+)/.exec(readme) ?? [];
  const versions = [named, ...others.split(" or ")].map((version) => [...version.split(".").map(Number), 0, 0]);
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const warnings = Object.entries(packages).flatMap(([path, { engines }]) =>
    versions
      .filter((version) => engines?.node !== undefined && !satisfies(version, engines.node))
      .map((version) => `${path} needs ${engines?.node}, not ${version.join(".")}`),
  );
  expect(versions.map(([major]) => major)).toEqual([22, 24, 26]);
  expect(warnings).toEqual([]);
  expect(satisfies([22, 17, 0], packages[""]?.engines?.node ?? ""), "an older one is warned of").toBe(false);
  expect(satisfies([23, 0, 0], packages[""]?.engines?.node ?? ""), "one between them too").toBe(false);
});
