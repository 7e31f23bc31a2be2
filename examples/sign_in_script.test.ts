import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { test } from "../testing/fixtures.ts";
import { newPhone } from "../testing/people.ts";

test("the script signs a phone up and out again", async ({ service }) => {
  const phone = newPhone();
  const script = spawn("examples/sign_in.sh", [phone, "correct horse battery", service.url]);
  const [output, errors] = [text(script.stdout), text(script.stderr)];
  script.stdin.end(`${await service.gateway.nextCode(phone)}\n`);
  const [code] = (await once(script, "close")) as [number];
  expect(await errors).toBe("Code: ");
  expect(code).toBe(0);
  const [session, logout] = (await output)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(session).toMatchObject({ data: { user_type: "user", phone } });
  expect(logout).toMatchObject({ meta: { message: "Logged out." } });
});
