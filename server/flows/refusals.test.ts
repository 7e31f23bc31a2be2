import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalogue, type ErrorCode } from "../rest/errors.ts";
import type { Answer } from "../../testing/client.ts";
import { bearer } from "../../testing/client.ts";
import { forgetLimits, goodPassword, logIn, newPhone, signUp } from "../../testing/people.ts";
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
  const expectCode = (answer: Answer, code: ErrorCode, status: number = catalogue[code].status) => {
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

    await forgetLimits(service, phone);
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

  expect([...reached].sort()).toEqual(Object.keys(catalogue).sort());
});

describe("an answer of the specified shape", () => {
  const shape = (path: string, method: string) => ({
    error: {
      message: expect.any(String) as string,
      code: "INVALID_REQUEST",
      details: expect.any(Object) as object,
    },
    meta: { timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string, path, method },
  });
  const raw = async (path: string, init: RequestInit) => {
    const response = await fetch(service.url + path, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as object };
  };
  const login = "/api/v1/auth/login";
  const json = { "content-type": "application/json" };

  test.each([
    ["an unknown route", "/api/v1/nothing?token=secret", { method: "GET" }, 404],
    ["a route below none", "/", { method: "GET" }, 404],
    ["another method", login, { method: "GET" }, 405],
    ["malformed JSON", login, { method: "POST", body: "{", headers: json }, 400],
    [
      "a body of 17 KiB",
      login,
      { method: "POST", body: JSON.stringify({ phone: "9".repeat(17_000) }), headers: json },
      413,
    ],
    ["a form", login, { method: "POST", body: new URLSearchParams({ phone: "1" }) }, 415],
    [
      "a foreign charset",
      login,
      { method: "POST", body: "{}", headers: { "content-type": "application/json; charset=ebcdic" } },
      415,
    ],
    [
      "an unknown encoding",
      login,
      { method: "POST", body: "{}", headers: { ...json, "content-encoding": "nope" } },
      415,
    ],
    ["an array", login, { method: "POST", body: "[1]", headers: json }, 400],
    ["a text", login, { method: "POST", body: '"x"', headers: json }, 400],
    ["a malformed path", "/api/v1/%ff", { method: "GET" }, 404],
  ] as [string, string, RequestInit, number][])("comes for %s", async (_what, path, init, status) => {
    const answer = await raw(path, init);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(shape(path.split("?")[0]!, init.method!));
  });

  test("names the methods that a route does take", async () => {
    expect((await raw(login, { method: "DELETE" })).headers.get("allow")).toBe("POST");
    expect((await raw("/api/v1/health", { method: "POST" })).headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("bad input never is a fault of ours", () => {
  const phone = newPhone();
  test.each([
    [
      "null bytes in a phone",
      "/auth/login",
      { phone: "+1212555\u00000100", password: "x" },
      "INVALID_IDENTIFIER",
    ],
    ["null bytes in a code", "/auth/register/verify", { phone, otp: "12345\u0000" }, "INVALID_OTP_FORMAT"],
    [
      "null bytes in an email",
      "/auth/register",
      { phone, password: goodPassword, email: "a\u0000@b.co" },
      "INVALID_IDENTIFIER",
    ],
    [
      "unicode digits in a code",
      "/auth/register/verify",
      { phone, otp: "１２３４５６" },
      "INVALID_OTP_FORMAT",
    ],
    ["a number for a phone", "/auth/login", { phone: 12125550100, password: "x" }, "INVALID_REQUEST"],
    ["an object for a password", "/auth/login", { phone, password: { $ne: null } }, "INVALID_REQUEST"],
    [
      "half a surrogate in a password",
      "/auth/register",
      { phone, password: "abcdefgh\ud800" },
      "INVALID_REQUEST",
    ],
    ["a text for the input", "/otp/send", { input: "x" }, "INVALID_REQUEST"],
    [
      "an unknown identifierType",
      "/otp/send",
      { input: { identifier: phone, identifierType: "PIGEON", purpose: "LOGIN" } },
      "INVALID_REQUEST",
    ],
    ["blanks for a password", "/auth/login", { phone, password: "  " }, "MISSING_FIELDS"],
    ["null for a phone", "/auth/reset-password", { phone: null }, "MISSING_FIELDS"],
    [
      "an email of the wrong type",
      "/auth/register",
      { phone, password: goodPassword, email: 7 },
      "INVALID_REQUEST",
    ],
  ])("%s", async (_what, path, body, code) => {
    expect(await post(path, body)).toMatchObject({ status: 400, code });
  });

  test("unknown fields are passed over", async () => {
    expect(
      (await post("/auth/reset-password", { phone: newPhone(), __proto__: 1, extra: { deep: [] } })).status,
    ).toBe(200);
  });

  test.each([
    "+1 212 555 0142",
    "+1 (212) 555-0142",
    "+1.212.555.0142",
    " +12125550142 ",
    "+1-212-555-0142",
    "+1 212-555.0142",
    "+1\u00a0212\u00a0555\u00a00142",
    "+1/212/555/0142",
    "+１２１２５５５０１４２",
    "\t+1 2125550142\n",
  ])("a phone spelt %j is the same phone", async (identifier) => {
    await forgetLimits(service, "+12125550142");
    const [answer, sms] = await Promise.all([
      send({ identifier, identifierType: "PHONE", purpose: "LOGIN" }),
      service.gateway.next(),
    ]);
    expect(answer.status).toBe(200);
    expect(sms.to).toBe("+12125550142");
  });

  test.each([
    ["short", "password", "too_short"],
    ["x".repeat(257), "password", "too_long"],
    ["Password123", "password", "too_common"],
  ])(
    "%# a password is against the rules: too short, too long, too common",
    async (password, field, reason) => {
      const answer = await post("/auth/register", { phone, password });
      expect(answer).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
      expect(answer.body.error?.details).toMatchObject({ field, reason });
    },
  );
});
