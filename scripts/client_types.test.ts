import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientTypes } from "./client_types.ts";

test("the client's types are those of the OpenAPI document (npm run generate)", async () => {
  const path = join(import.meta.dirname, "../client/src/schema.ts");
  expect(readFileSync(path, "utf8")).toBe(await clientTypes(path));
});
