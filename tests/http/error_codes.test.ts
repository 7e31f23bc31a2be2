import { expect } from "vitest";
import { catalog, type ErrorCode } from "../../http/problem.ts";
import type { Answer } from "../../testing/service/rest_client.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { clearRateLimits, goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { test } from "../../testing/fixtures.ts";

test("every code of the catalog is reached", async ({ client, gateway, database, service }) => {
  const reached = new Set<string>();
  const expectCode = (answer: Answer, code: ErrorCode, status: number = catalog[code].status) => {
    expect(answer).toMatchObject({ code, status });
    expect(answer.body.error?.message).not.toBe("");
    expect(answer.body.error).toHaveProperty("details");
    reached.add(code);
  };

  // Invalid requests.
  {
    expectCode(await client.post("/auth/login", "{"), "INVALID_REQUEST");
    expectCode(await client.post("/auth/login", { phone: newPhone() }), "MISSING_FIELDS");
    expectCode(await client.post("/auth/login", { phone: "555", password: "x" }), "INVALID_IDENTIFIER");
    expectCode(await client.sendOtp(newPhone(), "FUN"), "INVALID_PURPOSE");
    expectCode(await client.post("/auth/register/verify", { phone: newPhone(), otp: "12345" }), "INVALID_OTP_FORMAT");
    expectCode(await client.post("/auth/register/verify", { phone: newPhone(), otp: "123456" }), "INVALID_OTP");
  }

  // One-time passwords.
  {
    const phone = newPhone();
    const verify = (otp: string) => client.post("/auth/register/verify", { phone, otp });
    await client.post("/auth/register", { phone, password: goodPassword });

    const [, expired] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    await database.query("update platform.otp_transaction set expires_at = now() where identifier = $1", [phone]);
    expectCode(await verify(expired), "OTP_EXPIRED", 410);

    const [, used] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    expect((await verify(used)).status).toBe(200);
    expectCode(await verify(used), "OTP_ALREADY_USED", 409);

    const [, again] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    expectCode(await verify(again), "INVALID_REQUEST", 409);
    expectCode(await client.sendOtp(phone), "RATE_LIMIT_EXCEEDED", 429);

    await clearRateLimits(service, phone);
    await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    await database.query(
      "update platform.otp_transaction set attempts = 5 where identifier = $1 and verified_at is null",
      [phone],
    );
    expectCode(await verify("123456"), "MAX_ATTEMPTS_REACHED", 429);

    gateway.behave(400);
    const [failed] = await Promise.all([client.sendOtp(newPhone()), gateway.next()]);
    gateway.behave(200);
    expectCode(failed, "OTP_SEND_FAILED", 502);
  }

  // Sessions.
  {
    const { refresh_token, access_token } = await logIn(service, await signUp(service));
    expectCode(await client.post("/auth/logout"), "SESSION_NOT_FOUND");
    expectCode(await client.post("/auth/session/refresh", { refresh_token }, bearer("another")), "SESSION_MISMATCH");
    await client.post("/auth/logout", undefined, bearer(access_token));
    expectCode(await client.refresh(refresh_token), "SESSION_REVOKED");
  }

  // Failures of the database.
  {
    await service.proxy.cut();
    expectCode(await client.post("/auth/session/guest"), "SERVICE_UNAVAILABLE");
    await service.proxy.restore();
    await database.query(
      `create function public.fail() returns trigger language plpgsql as $$ begin raise 'secret cause'; end $$;
       create trigger fail before insert on "user".session execute function public.fail()`,
    );
    const failedCall = await client.post("/auth/session/guest");
    await database.query("drop function public.fail() cascade");
    expectCode(failedCall, "INTERNAL_ERROR");
    expect(JSON.stringify(failedCall.body)).not.toContain("cause");
  }

  expect([...reached].sort()).toEqual(Object.keys(catalog).sort());
});
