import { expect, test } from "vitest";
import type { Caller } from "../authorization/caller.ts";
import { payerOf } from "./payers.ts";

const guest = (session: string, address: string): Caller => ({
  audience: "user",
  settings: { role: "latchkey_guest", "latchkey.session_id": session },
  expires: undefined,
  address,
});
const user = (session: string): Caller => ({
  audience: "user",
  settings: { role: "latchkey_user", "latchkey.session_id": session, "latchkey.user_id": "a user" },
  expires: undefined,
});

test("a user is one payer with all sessions", () => {
  expect(payerOf(user("one"))).toBe(payerOf(user("another")));
});

test("the guests of one address are one payer", () => {
  expect(payerOf(guest("one", "198.51.100.1"))).toBe(payerOf(guest("another", "198.51.100.1")));
  expect(payerOf(guest("one", "198.51.100.1"))).not.toBe(payerOf(guest("one", "198.51.100.2")));
});

test("each guest session is a payer if its address may be that of an undeclared proxy", () => {
  expect(payerOf(guest("one", "10.0.0.1"))).not.toBe(payerOf(guest("another", "10.0.0.1")));
});
