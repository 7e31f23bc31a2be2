import { expect, test } from "vitest";
import { notificationDigest, notifications } from "./notifications.ts";

const id = "00000000-0000-7000-8000-00000000002a";
const digest = "f71617611ee0efa8425273aa86e0fd05";
const { signing_keys_changed, ...ofRows } = notifications;

// db/tests/functions/private/sending/notification_digest.sql has the same pair.
test("a digest is the one that PostgreSQL computes", () => {
  expect(notificationDigest(id)).toBe(digest);
  expect(notificationDigest(id.toUpperCase())).toBe(digest);
  for (const schema of Object.values(ofRows)) expect(schema.parse(digest)).toBe(digest);
});

test.each(["", "x", id, `${digest} sent`, "\u0000", digest.slice(1), "x".repeat(8_000)])(
  "%j is not a valid payload",
  (payload) => {
    for (const schema of Object.values(ofRows)) expect(schema.safeParse(payload).success).toBe(false);
  },
);

test("a change of the signing keys carries nothing", () => {
  expect(signing_keys_changed.safeParse("").success).toBe(true);
  expect(signing_keys_changed.safeParse(digest).success).toBe(false);
});
