import { expect, onTestFinished, test, vi } from "vitest";
import { startVendor, type VendorAnswer } from "../../testing/network/vendor_stand_in.ts";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createAwsSnsProvider } from "./aws_sns.ts";
import type { ProviderOptions } from "./provider.ts";

const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "s3cret" };
const noKeys = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };

const awsSns = (
  url: string,
  timeoutMs?: number,
  credentials: Partial<Record<keyof typeof keys, string | undefined>> = keys,
) =>
  createAwsSnsProvider(
    {
      AWS_REGION: "eu-central-1",
      ...noKeys,
      ...credentials,
      AWS_SESSION_TOKEN: undefined,
      AWS_ENDPOINT_URL_SNS: url,
    },
    timeoutMs,
  );

const send = (url: string, options: ProviderOptions = {}, timeoutMs = 10_000) =>
  awsSns(url, timeoutMs).send(createMessage("aws-sns", options));

/** An answer of the SNS query API: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
const published: VendorAnswer = {
  status: 200,
  body: `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>567910cd-659e-55d4-8ccb-5aaf14679dc0</MessageId></PublishResult><ResponseMetadata><RequestId>d74b8436-ae13-5ab4-a9ff-ce54dfea72a0</RequestId></ResponseMetadata></PublishResponse>`,
};
const failed = (status: number, code: string, message = "about +12125550123"): VendorAnswer => ({
  status,
  body: `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>d74b8436</RequestId></ErrorResponse>`,
});

async function sendTo(answer: VendorAnswer, options?: ProviderOptions) {
  const { url, requests } = await startVendor(answer);
  const result = await send(url, options);
  const fields = requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  return { result, requests, fields };
}

test("an SMS is published to the number as transactional, signed with the credentials", async () => {
  const { result, requests, fields } = await sendTo(published, { senderId: "Shop" });
  expect(result).toEqual({ outcome: "sent", vendorMessageId: "567910cd-659e-55d4-8ccb-5aaf14679dc0" });
  expect(requests[0]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/sns\/aws4_request/,
  );
  expect(fields).toMatchObject([{ Action: "Publish", PhoneNumber: "+12125550123", Message: "735194 is your code" }]);
  const values = Object.values(fields[0] ?? {});
  for (const value of ["AWS.SNS.SMS.SMSType", "Transactional", "AWS.SNS.SMS.SenderID", "Shop"])
    expect(values).toContain(value);
});

test("the ids of India's registry are attributes of the message", async () => {
  const { fields } = await sendTo(published, {
    entityId: "1101234567890123456",
    templateId: "1107234567890123456",
  });
  const values = Object.values(fields[0] ?? {});
  for (const value of ["AWS.MM.SMS.EntityId", "1101234567890123456", "AWS.MM.SMS.TemplateId", "1107234567890123456"])
    expect(values).toContain(value);
});

/** Nothing that the SDK's chain could find on the machine that runs the test. */
function hideCredentials(): void {
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"])
    vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, "/nonexistent");
  onTestFinished(() => void vi.unstubAllEnvs());
}

test("without keys the role that the SDK's chain finds signs, here that of a container", async () => {
  hideCredentials();
  const { url, requests } = await startVendor(published);
  const Expiration = new Date(Date.now() + 3_600_000).toISOString();
  const role = { AccessKeyId: "ASIAROLE", SecretAccessKey: "s3cret", Token: "t0ken", Expiration };
  const container = await startVendor({ status: 200, body: role });
  vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${container.url}/role`);
  expect(await awsSns(url, undefined, noKeys).send(createMessage("aws-sns"))).toMatchObject({
    outcome: "sent",
  });
  expect(requests[0]?.headers).toMatchObject({
    authorization: expect.stringContaining("Credential=ASIAROLE/") as string,
    "x-amz-security-token": "t0ken",
  });
});

test("without keys and without a role nothing is sent, and the reason says so", async () => {
  hideCredentials();
  const { url, requests } = await startVendor(published);
  expect(await awsSns(url, undefined, noKeys).send(createMessage("aws-sns"))).toEqual({
    outcome: "declined",
    reason: "CredentialsProviderError",
  });
  expect(requests).toEqual([]);
});

test.each([
  { credentials: noKeys, reason: undefined },
  { credentials: keys, reason: undefined },
  { credentials: { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE" }, reason: "AWS_SECRET_ACCESS_KEY" },
  { credentials: { AWS_SECRET_ACCESS_KEY: "s3cret" }, reason: "AWS_ACCESS_KEY_ID" },
])("half of a key is not usable, none may be a role: $credentials", ({ credentials, reason }) => {
  expect(awsSns("http://127.0.0.1:1", undefined, credentials).unusableReason()).toBe(
    reason && `not set in the worker's environment: ${reason}`,
  );
});

test("without senderId the account's default is used", async () => {
  const { fields } = await sendTo(published);
  expect(Object.values(fields[0] ?? {})).not.toContain("AWS.SNS.SMS.SenderID");
});

const invalid = (parameter: string) =>
  `Invalid parameter: ${parameter} Reason: +12125550123 is not valid to publish to`;

test.each([
  { code: "InvalidParameter", status: 400, message: invalid("PhoneNumber"), outcome: "refused" },
  { code: "OptedOut", status: 400, outcome: "refused" },
  { code: "InvalidParameter", status: 400, message: invalid("SenderID"), outcome: "declined" },
  { code: "InvalidParameterValue", status: 400, outcome: "declined" },
  { code: "ValidationException", status: 400, outcome: "declined" },
  { code: "UserError", status: 400, outcome: "declined" },
  { code: "OptInRequired", status: 403, outcome: "declined" },
  { code: "AuthorizationError", status: 403, outcome: "declined" },
  { code: "InvalidClientTokenId", status: 403, outcome: "declined" },
  { code: "Throttled", status: 429, outcome: "declined" },
  { code: "ThrottlingException", status: 400, outcome: "declined" },
  { code: "InternalError", status: 500, message: invalid("PhoneNumber"), outcome: "uncertain" },
])(
  "$status $code, $message: $outcome, once, with nothing of the vendor's text",
  async ({ status, code, message, outcome }) => {
    const { result, requests } = await sendTo(failed(status, code, message));
    expect(result).toEqual({
      outcome,
      reason: expect.stringContaining(`HTTP ${status}, code ${code}`) as string,
    });
    expect(result.reason).not.toContain("2125550123");
    expect(requests).toHaveLength(1);
  },
);

test("a vendor that does not answer in time may have sent it: uncertain", async () => {
  const { url } = await startVendor(undefined);
  expect(await send(url, {}, 3_000)).toMatchObject({ outcome: "uncertain" });
});

test("a refused connection is unreachable: nothing was sent", async () => {
  expect(await send("http://127.0.0.1:1")).toEqual({ outcome: "unreachable", reason: "ECONNREFUSED" });
});
