import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { restDocs } from "../scripts/rest_docs.ts";

test("docs/routes.md is what npm run generate writes", async () => {
  const path = join(import.meta.dirname, "routes.md");
  const written = await format(restDocs(), { ...(await resolveConfig(path)), parser: "markdown" });
  expect(readFileSync(path, "utf8")).toBe(written);
});
