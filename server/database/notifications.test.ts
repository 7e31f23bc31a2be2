import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { notifications } from "./notifications.ts";

const { otp_delivery, session_changed } = notifications;
const [session_id, user_id] = [randomUUID(), randomUUID()];

test("the payloads of the database's own functions are valid", () => {
  expect(otp_delivery.parse(session_id)).toBe(session_id);
  expect(session_changed.parse(JSON.stringify({ session_id, user_id }))).toEqual({ session_id, user_id });
  expect(session_changed.parse(JSON.stringify({ session_id, user_id: null }))).toEqual({
    session_id,
    user_id: null,
  });
});

test.each(["", "x", `${session_id} sent`, "\u0000", session_id.slice(1), "x".repeat(8_000)])(
  "%j is not a valid payload of a one-time password",
  (payload) => {
    expect(otp_delivery.safeParse(payload).success).toBe(false);
  },
);

test.each([
  ...["", "x", "{", "null", "1", "[]", "{}", `"${session_id}"`, "[".repeat(8_000)],
  ...[{ session_id }, { user_id }, { session_id: 1, user_id }, { session_id, user_id: "x" }].map((payload) =>
    JSON.stringify(payload),
  ),
])("%j is not a valid payload of a session", (payload) => {
  expect(session_changed.safeParse(payload).success).toBe(false);
});
