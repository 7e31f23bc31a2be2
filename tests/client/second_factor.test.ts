import { expect } from "vitest";
import { test, totp, wrongCode } from "../fixtures/factor_fixtures.ts";
import { connect } from "./fixtures/client_fixtures.ts";

test("a sign-in with a second factor is a challenge, which a code opens after a wrong one", async ({
  service,
  enrolled,
}) => {
  const { latchkey } = connect(service);
  const { phone, password, secret } = enrolled;
  const { data, error, challenge } = await latchkey.POST("/auth/login", { body: { phone, password } });
  expect([data, error?.code, challenge?.factors]).toEqual([undefined, "INVALID_REQUEST", ["totp"]]);
  expect(new Date(challenge?.expiresAt ?? "").getTime()).toBeGreaterThan(Date.now());
  expect((await challenge!.enter({ code: wrongCode(secret) })).error?.code).toBe("INVALID_OTP");
  expect(latchkey.session.current).toBeNull();
  const opened = await challenge!.enter({ code: totp(secret) });
  expect(latchkey.session.current).toMatchObject({ id: opened.data?.session_id, userType: "user" });
});

test("a recovery code answers the challenge of a code by SMS, and a guest becomes the user", async ({
  service,
  enrolled,
}) => {
  const { latchkey } = connect(service);
  await latchkey.session.ensureGuest();
  const { data: sent } = await latchkey.signInWithCode(enrolled.phone);
  const { challenge } = await sent!.enter(await service.gateway.nextCode(enrolled.phone));
  const signal = AbortSignal.abort();
  const recoveryCode = enrolled.recoveryCodes[0] ?? "";
  expect((await challenge!.enter({ recoveryCode }, { signal })).error).toMatchObject({ aborted: true });
  expect((await challenge!.enter({ recoveryCode })).error).toBeUndefined();
  expect(latchkey.session.current).toMatchObject({ userType: "user" });
});

test("a refused password is no challenge", async ({ service, enrolled }) => {
  const { latchkey } = connect(service);
  const body = { phone: enrolled.phone, password: "another password" };
  expect((await latchkey.POST("/auth/login", { body })).challenge).toBeUndefined();
});
