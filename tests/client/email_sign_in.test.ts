import { expect } from "vitest";
import { test } from "../fixtures/email_fixtures.ts";
import { connect } from "./fixtures/client_fixtures.ts";

test("a verified email signs in as a phone does", async ({ service, mailbox, newUser, verifyEmail }) => {
  const email = await verifyEmail(await newUser());
  await service.set("EMAIL_SIGN_IN", "on");
  const { latchkey } = connect(service);
  const [{ data: sent }, otp] = await Promise.all([latchkey.signInWithCode(email), mailbox.nextCode(email)]);
  expect((await sent?.enter(otp, { label: "by email" }))?.data).toMatchObject({ created: false });
  expect((await latchkey.GET("/auth/session")).data).toMatchObject({ email });
});
