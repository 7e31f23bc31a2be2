import { expect, test } from "vitest";
import type { Caller } from "../../authorization/caller.ts";
import { principalOf } from "./principals.ts";

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

test("a user is one principal with all sessions", () => {
  expect(principalOf(user("one"))).toBe(principalOf(user("another")));
});

test("the guests of one address are one principal", () => {
  expect(principalOf(guest("one", "198.51.100.1"))).toBe(principalOf(guest("another", "198.51.100.1")));
  expect(principalOf(guest("one", "198.51.100.1"))).not.toBe(principalOf(guest("one", "198.51.100.2")));
});

test("each guest session is a principal if its address may be that of an undeclared proxy", () => {
  expect(principalOf(guest("one", "10.0.0.1"))).not.toBe(principalOf(guest("another", "10.0.0.1")));
});
