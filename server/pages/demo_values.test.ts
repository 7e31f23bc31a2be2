import { expect, test } from "vitest";
import type { Services } from "../services.ts";
import { demoValues } from "./demo_values.ts";

const valuesFrom = (call: () => Promise<unknown>) =>
  demoValues({ database: { call }, passkeys: { rpId: null } } as unknown as Services)();

test("the page gets the ways to sign in that are on, and none while the database does not answer", async () => {
  expect(await valuesFrom(() => Promise.resolve({ data: { ways: ["email", "passkey"] } }))).toEqual({
    ways: "email passkey",
  });
  expect(await valuesFrom(() => Promise.reject(new Error("no database")))).toEqual({ ways: "" });
});
