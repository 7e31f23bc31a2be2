import { expect, test } from "vitest";
import { startVendor, type VendorAnswer } from "../../testing/vendor_stand_in.ts";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createAwsSnsProvider } from "./aws_sns.ts";
import type { ProviderOptions } from "./provider.ts";

const send = (url: string, options: ProviderOptions = {}, timeoutMs = 10_000) =>
  createAwsSnsProvider(
    {
      ...{ AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "s3cret" },
      ...{ AWS_SESSION_TOKEN: undefined, AWS_ENDPOINT_URL_SNS: url },
    },
    timeoutMs,
  ).send(createMessage("aws-sns", options));

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
  expect(fields).toMatchObject([
    { Action: "Publish", PhoneNumber: "+12125550123", Message: "735194 is your code" },
  ]);
  const values = Object.values(fields[0] ?? {});
  for (const value of ["AWS.SNS.SMS.SMSType", "Transactional", "AWS.SNS.SMS.SenderID", "Shop"])
    expect(values).toContain(value);
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
