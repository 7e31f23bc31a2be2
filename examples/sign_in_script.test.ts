import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { test as baseTest } from "../testing/fixtures.ts";
import { otherCode } from "../testing/service/other_code.ts";
import { newPhone } from "../testing/service/people.ts";

/** Starts the script for a phone. `typeCode` answers its prompt; `end` resolves with all that it printed. */
const test = baseTest.extend("startScript", ({ service }) => (phone: string) => {
  const script = spawn("examples/sign_in.sh", [phone, service.url]);
  const [output, errors] = [text(script.stdout), text(script.stderr)];
  const closed = once(script, "close") as Promise<[number]>;
  return {
    typeCode: (code: string) => script.stdin.end(`${code}\n`),
    end: async () => ({ code: (await closed)[0], output: await output, errors: await errors }),
  };
});

test("the script signs a new phone in and out again", async ({ gateway, startScript }) => {
  const phone = newPhone();
  const script = startScript(phone);
  script.typeCode(await gateway.nextCode(phone));
  const { code, output, errors } = await script.end();
  expect(errors).toBe("Code: ");
  expect(code).toBe(0);
  const [session, logout] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(session).toMatchObject({ data: { user_type: "user", phone } });
  expect(logout).toMatchObject({ meta: { message: "Logged out." } });
});

test("a refused phone ends the script with the answer, before it asks for a code", async ({ startScript }) => {
  const { code, output, errors } = await startScript("5550123").end();
  expect(code).toBe(1);
  expect(errors).toMatch(/"code":"INVALID_IDENTIFIER"[^]*\}\n$/);
  expect(errors).not.toContain("Code: ");
  expect(output).toBe("");
});

test("a wrong code ends the script with the answer", async ({ gateway, startScript }) => {
  const phone = newPhone();
  const script = startScript(phone);
  script.typeCode(otherCode(await gateway.nextCode(phone)));
  const { code, output, errors } = await script.end();
  expect(code).toBe(1);
  expect(errors).toContain('"code":"INVALID_OTP"');
  expect(output).toBe("");
});
