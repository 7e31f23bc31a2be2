import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { otherCode } from "../../testing/service/other_code.ts";
import { newPhone } from "../../testing/service/people.ts";
import { connect } from "./fixtures/client_fixtures.ts";

test("one call sends a code and one enters it, for a new phone and for a known one", async ({ service }) => {
  const phone = newPhone();
  for (const created of [true, false]) {
    const { latchkey, network } = connect(service);
    const { data: sent } = await latchkey.signInWithCode(phone);
    expect(new Date(sent?.expiresAt ?? "").getTime()).toBeGreaterThan(Date.now());
    const code = await service.gateway.nextCode(phone);
    const { data } = await sent!.enter(code, { email: "ada@example.com", label: "Ada's phone" });
    expect(data).toMatchObject({ created });
    expect(latchkey.session.current).toMatchObject({ userType: "user" });
    expect(network.requests).toEqual(["POST /otp/send", "POST /auth/login/otp"]);
    expect((await latchkey.GET("/auth/session")).data).toMatchObject({ phone, email: "ada@example.com" });
    expect((await latchkey.GET("/auth/sessions")).data?.sessions[0]).toMatchObject({ label: "Ada's phone" });
  }
});

test("a wrong code is an error, after which the right one signs in, as people type it", async ({ service }) => {
  const phone = newPhone();
  const { latchkey } = connect(service);
  const { data: sent } = await latchkey.signInWithCode(phone);
  const code = await service.gateway.nextCode(phone);
  const { error } = await sent!.enter(otherCode(code));
  expect(error?.code).toBe("INVALID_OTP");
  expect(latchkey.session.current).toBeNull();
  expect((await sent!.enter(`${code.slice(0, 3)} ${code.slice(3)}`)).data).toMatchObject({ created: true });
});

test("what the service does not send is an error of the first call, and an ended signal of either", async ({
  service,
}) => {
  const { latchkey } = connect(service);
  expect((await latchkey.signInWithCode("5550123")).error?.code).toBe("INVALID_IDENTIFIER");
  const autofill = { origin: "https://app.example.com" };
  expect((await latchkey.signInWithCode(newPhone(), { autofill })).error).toMatchObject({
    code: "INVALID_REQUEST",
    details: { reason: "autofill_not_allowed" },
  });
  expect((await latchkey.signInWithCode(newPhone(), { channel: "voice" })).error).toMatchObject({
    details: { reason: "channel_not_allowed" },
  });
  await service.set("SEND_PROOF", "all");
  for (const options of [{}, { proof: "a token that nobody verifies" }])
    expect((await latchkey.signInWithCode(newPhone(), options)).error).toMatchObject({
      code: "INVALID_REQUEST",
      details: { reason: "proof_required", provider: "turnstile", siteKey: null },
    });
  await service.set("SEND_PROOF", "off");
  const signal = AbortSignal.abort();
  expect((await latchkey.signInWithCode(newPhone(), { signal })).error).toMatchObject({ aborted: true });
  const { data: sent } = await latchkey.signInWithCode(newPhone());
  expect((await sent!.enter("123456", { signal })).error).toMatchObject({ aborted: true });
});
