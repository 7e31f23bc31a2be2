import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { startGateway } from "./fixtures/http_fixtures.ts";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createProviders } from "./providers.ts";

const config = { production: true, SMS_HTTP_HOSTS: [] } as unknown as Parameters<typeof createProviders>[0];
const message = createMessage("console");

test("the provider that the message names sends it", async () => {
  const { send } = createProviders(config);
  expect(await send(message)).toMatchObject({ reason: "the console provider is refused in production" });
  expect(await send({ ...message, provider: "http" })).toMatchObject({
    reason: "http.url is not a URL",
  });
});

test.each(["pigeon", "constructor", ""])("a message for the unknown provider %j is declined", async (provider) => {
  expect(await createProviders(config).send({ ...message, provider })).toEqual({
    outcome: "declined",
    reason: "this worker has no such provider",
  });
});

test("a bug in a provider is uncertain, and its error message, which may contain the SMS, is not repeated", async () => {
  const options = {
    get url(): string {
      throw new TypeError("735194 is your code");
    },
  };
  expect(await createProviders(config).send({ ...message, provider: "http", options })).toEqual({
    outcome: "uncertain",
    reason: "TypeError",
  });
});

test("a provider that does not answer within the message's time is uncertain", async () => {
  const { url, behave } = await startGateway();
  behave("silent");
  const slow = createMessage("http", { url }, { timeout_ms: 3_000 });
  expect(await createProviders({ ...config, production: false }).send(slow)).toEqual({
    outcome: "uncertain",
    reason: "TimeoutError",
  });
});

test("a worker reports why it cannot send with a provider", () => {
  const { unusableReason } = createProviders({ ...config, SMS_HTTP_HOSTS: ["sms.example"] });
  const provider = (name: string, options = {}) => ({ name, options });
  expect(unusableReason(provider("pigeon"))).toMatch(/has no provider/);
  expect(unusableReason(provider("console"))).toMatch(/production/);
  expect(unusableReason(provider("http", { url: "http://sms.example/" }))).toMatch(/not https/);
  expect(unusableReason(provider("http", { url: "https://other.example/" }))).toMatch(/not in SMS_HTTP_HOSTS/);
  expect(unusableReason(provider("http", { url: "https://sms.example/" }))).toBeUndefined();
  expect(createProviders({ ...config, production: false }).unusableReason(provider("console"))).toBeUndefined();
});

test.each([
  { name: "twilio", variables: ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"] },
  { name: "aws-sns", variables: ["AWS_REGION"] },
  { name: "vonage", variables: ["VONAGE_API_KEY", "VONAGE_API_SECRET"] },
])("without its credentials $name is not usable: the reason names the variables", ({ name, variables }) => {
  const reason = createProviders(config).unusableReason({ name, options: {} });
  expect(reason).toBe(`not set in the worker's environment: ${variables.join(", ")}`);
});

test("the setting OTP_PROVIDER may name the providers of the worker, and no other", async () => {
  const database = await createTestDatabase();
  const faultOf = async (providerToUse: string) => {
    const record = {
      providerToUse,
      template: "{{code}}",
      http: { url: "https://sms.example/" },
      twilio: { from: "+12125550100" },
      vonage: { from: "Shop" },
    };
    const [row] = await database.query<{ fault: string | null }>("select private.provider_fault($1) as fault", [
      record,
    ]);
    return row?.fault;
  };
  const { names } = createProviders(config);
  for (const name of names) expect([name, await faultOf(name)]).toEqual([name, null]);
  expect(await faultOf("smtp")).toMatch(/^providerToUse must be one of/);
  expect(await faultOf("pigeon")).toBe(`providerToUse must be one of ${names.join(", ")}`);
  await database.drop();
});
