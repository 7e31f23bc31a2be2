import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog, type ErrorCode } from "../http/problem.ts";
import type { Answer } from "../../testing/client.ts";
import { bearer } from "../../testing/client.ts";
import { clearRateLimits, goodPassword, logIn, newPhone, signUp } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
  service.client.post(path, body, headers);
const send = (input: object) => post("/otp/send", { input });

test("every code of the specification is reached", async () => {
  const reached = new Set<string>();
  const expectCode = (answer: Answer, code: ErrorCode, status: number = catalog[code].status) => {
    expect(answer).toMatchObject({ code, status });
    expect(answer.body.error?.message).not.toBe("");
    expect(answer.body.error).toHaveProperty("details");
    reached.add(code);
  };

  // By requests that say too little or too much.
  {
    expectCode(await post("/auth/login", "{"), "INVALID_REQUEST");
    expectCode(await post("/auth/login", { phone: newPhone() }), "MISSING_FIELDS");
    expectCode(await post("/auth/login", { phone: "555", password: "x" }), "INVALID_IDENTIFIER");
    expectCode(
      await send({ identifier: newPhone(), identifierType: "PHONE", purpose: "FUN" }),
      "INVALID_PURPOSE",
    );
    expectCode(
      await post("/auth/register/verify", { phone: newPhone(), otp: "12345" }),
      "INVALID_OTP_FORMAT",
    );
    expectCode(await post("/auth/register/verify", { phone: newPhone(), otp: "123456" }), "INVALID_OTP");
  }

  // By one-time passwords.
  {
    const phone = newPhone();
    const verify = (otp: string) => post("/auth/register/verify", { phone, otp });
    await post("/auth/register", { phone, password: goodPassword });

    const [, expired] = await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
    await service.database.query(
      "update platform.otp_transaction set expires_at = now() where identifier = $1",
      [phone],
    );
    expectCode(await verify(expired), "OTP_EXPIRED", 410);

    const [, used] = await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
    expect((await verify(used)).status).toBe(200);
    expectCode(await verify(used), "OTP_ALREADY_USED", 409);

    const [, again] = await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
    expectCode(await verify(again), "INVALID_REQUEST", 409);
    expectCode(await service.client.sendOtp(phone), "RATE_LIMIT_EXCEEDED", 429);

    await clearRateLimits(service, phone);
    await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
    await service.database.query(
      "update platform.otp_transaction set attempts = 5 where identifier = $1 and verified_at is null",
      [phone],
    );
    expectCode(await verify("123456"), "MAX_ATTEMPTS_REACHED", 429);

    service.gateway.behave(400);
    const [failed] = await Promise.all([service.client.sendOtp(newPhone()), service.gateway.next()]);
    service.gateway.behave(200);
    expectCode(failed, "OTP_SEND_FAILED", 502);
  }

  // By sessions.
  {
    const { refresh_token, access_token } = await logIn(service, await signUp(service));
    expectCode(await post("/auth/logout"), "SESSION_NOT_FOUND");
    expectCode(await post("/auth/session/refresh", { refresh_token }, bearer("another")), "SESSION_MISMATCH");
    await post("/auth/logout", undefined, bearer(access_token));
    expectCode(await service.client.refresh(refresh_token), "SESSION_REVOKED");
  }

  // By faults.
  {
    await service.proxy.cut();
    expectCode(await post("/auth/session/guest"), "SERVICE_UNAVAILABLE");
    await service.proxy.restore();
    await service.database.query(
      `create function public.fail() returns trigger language plpgsql as $$ begin raise 'secret cause'; end $$;
       create trigger fail before insert on "user".session execute function public.fail()`,
    );
    const failed = await post("/auth/session/guest");
    await service.database.query("drop function public.fail() cascade");
    expectCode(failed, "INTERNAL_ERROR");
    expect(JSON.stringify(failed.body)).not.toContain("cause");
  }

  expect([...reached].sort()).toEqual(Object.keys(catalog).sort());
});
