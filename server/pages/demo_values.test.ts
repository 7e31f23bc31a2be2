import { expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { demoValues } from "./demo_values.ts";

const valuesFrom = (call: () => Promise<unknown>) => demoValues({ call } as unknown as Database, null)();

test("the page gets the ways to sign in that are on, and none while the database does not answer", async () => {
  expect(await valuesFrom(() => Promise.resolve({ data: { ways: ["email", "passkey"] } }))).toEqual({
    ways: "email passkey",
  });
  expect(await valuesFrom(() => Promise.reject(new Error("no database")))).toEqual({ ways: "" });
});
