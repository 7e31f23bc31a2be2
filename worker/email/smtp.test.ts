import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { startSmtp } from "../../testing/network/smtp_stand_in.ts";
import type { AttemptResult } from "../message.ts";
import { createMessage } from "../sms/fixtures/message_fixtures.ts";
import { createSmtpProvider } from "./smtp.ts";

const send = (
  url: string,
  options: Record<string, unknown> = { from: "codes@shop.example" },
  {
    production = false,
    timeoutMs = 10_000,
    code = "735194",
  }: { production?: boolean; timeoutMs?: number; code?: string | null } = {},
): Promise<AttemptResult> =>
  createSmtpProvider({ SMTP_URL: url, production }, timeoutMs).send(
    createMessage("smtp", options, {
      recipient: "ada@example.com",
      channel: "email",
      body: "735194 is your code: größer",
      code,
    }),
  );

/** An error that the server replies with. */
const reply = (responseCode: number) => Object.assign(new Error("about ada@example.com"), { responseCode });

test("an email goes from smtp.from to the address, with the user and password of SMTP_URL", async () => {
  const { host, mails } = await startSmtp();
  const result = await send(`smtp://codes%40shop.example:p%40ss@${host}`);
  expect(result).toEqual({
    outcome: "sent",
    vendorMessageId: expect.stringContaining("@shop.example") as string,
  });
  expect(mails).toMatchObject([{ from: "codes@shop.example", to: ["ada@example.com"], user: "codes@shop.example" }]);
  expect(mails[0]?.content).toContain("Subject: Your code");
  expect(mails[0]?.content).toContain("Auto-Submitted: auto-generated");
  expect(mails[0]?.content).toContain("735194 is your code");
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);
test.skipIf(!hasIpv6)("SMTP_URL may have an IPv6 address", async () => {
  const { host, mails } = await startSmtp({}, "::1");
  expect(await send(`smtp://${host}`)).toMatchObject({ outcome: "sent" });
  expect(mails).toHaveLength(1);
});

test("smtp.subject is the subject, and cannot add a header", async () => {
  const { host, mails } = await startSmtp();
  await send(`smtp://${host}`, { from: "codes@shop.example", subject: "Shop\r\nBcc: eve@example.com" });
  expect(mails).toMatchObject([{ to: ["ada@example.com"] }]);
  expect(mails[0]?.content).not.toMatch(/^Bcc/m);
});

test("a notice has a subject of its own, because smtp.subject is that of codes", async () => {
  const { host, mails } = await startSmtp();
  await send(`smtp://${host}`, { from: "codes@shop.example", subject: "Your code" }, { code: null });
  expect(mails[0]?.content).toContain("Subject: Your account");
});

test.each([
  { what: "an unknown mailbox", code: 550, outcome: "refused" },
  { what: "a full mailbox", code: 452, outcome: "unreachable" },
])("$what: $outcome, with the reply's code and nothing of its text", async ({ code, outcome }) => {
  const { host } = await startSmtp({ onRcptTo: (_address, _session, callback) => callback(reply(code)) });
  expect(await send(`smtp://${host}`)).toEqual({ outcome, reason: `SMTP ${code}` });
});

test("a sender that the server does not accept is declined", async () => {
  const { host } = await startSmtp({ onMailFrom: (_address, _session, callback) => callback(reply(553)) });
  expect(await send(`smtp://${host}`)).toEqual({ outcome: "declined", reason: "SMTP 553" });
});

test("a wrong password is declined", async () => {
  const { host } = await startSmtp();
  expect(await send(`smtp://codes:wrong@${host}`)).toEqual({ outcome: "declined", reason: "SMTP 535" });
});

test("in production a server without TLS is declined: a code does not cross a network in clear", async () => {
  const { host, mails } = await startSmtp();
  const result = await send(`smtp://${host}`, undefined, { production: true });
  expect(result).toMatchObject({ outcome: "declined" });
  expect(mails).toEqual([]);
});

test("a server that takes the message and does not answer may have sent it: uncertain", async () => {
  const { host } = await startSmtp({ onData: (stream) => void stream.resume() });
  // Its half is enough to connect and greet on a busy machine.
  const result = await send(`smtp://${host}`, { from: "codes@shop.example" }, { timeoutMs: 3_000 });
  expect(result).toMatchObject({ outcome: "uncertain" });
});

test("a refused connection is unreachable: nothing was sent", async () => {
  expect(await send("smtp://127.0.0.1:1")).toEqual({ outcome: "unreachable", reason: "ESOCKET" });
});

test("without SMTP_URL or smtp.from it is not usable", () => {
  const reason = (SMTP_URL: string | undefined, options: object) =>
    createSmtpProvider({ SMTP_URL, production: false }).unusableReason({ ...options });
  expect(reason(undefined, { from: "codes@shop.example" })).toMatch(/SMTP_URL/);
  expect(reason("smtp://127.0.0.1", {})).toBe("OTP_PROVIDER has no smtp.from");
  expect(reason("smtp://127.0.0.1", { from: "codes@shop.example" })).toBeUndefined();
});
