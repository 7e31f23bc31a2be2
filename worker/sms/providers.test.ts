import { expect, test } from "vitest";
import { makeDatabase } from "../../testing/test_database.ts";
import { makeProviders } from "./providers.ts";

const config = { production: true, SMS_HTTP_HOSTS: [] } as unknown as Parameters<typeof makeProviders>[0];
const message = {
  otp_id: "01890000-0000-7000-8000-000000000000",
  provider: "console",
  options: {},
  recipient: "+12125550123",
  body: "735194 is your code",
};

test("the provider that the message names is asked", async () => {
  const { send } = makeProviders(config);
  expect(await send(message)).toMatchObject({ reason: "console is refused in production" });
  expect(await send({ ...message, provider: "http" })).toMatchObject({
    reason: "http.url is not an address",
  });
});

test.each(["pigeon", "constructor", ""])(
  "the provider %j, which this worker does not know, refuses",
  async (provider) => {
    expect(await makeProviders(config).send({ ...message, provider })).toEqual({
      outcome: "refused",
      reason: "this worker does not know the provider",
    });
  },
);

test("a fault of ours is uncertain, and its words, which may hold the message, are not repeated", async () => {
  const options = {
    get url(): string {
      throw new TypeError("735194 is your code");
    },
  };
  expect(await makeProviders(config).send({ ...message, provider: "http", options })).toEqual({
    outcome: "uncertain",
    reason: "TypeError",
  });
});

test("a worker can tell why no SMS will be sent", () => {
  const { fault } = makeProviders({ ...config, SMS_HTTP_HOSTS: ["sms.example"] });
  const named = (name: string, options = {}) => ({ name, options });
  expect(fault(undefined)).toBe("no provider is set");
  expect(fault(named("pigeon"))).toMatch(/does not know/);
  expect(fault(named("console"))).toMatch(/production/);
  expect(fault(named("http", { url: "http://sms.example/" }))).toMatch(/not https/);
  expect(fault(named("http", { url: "https://other.example/" }))).toMatch(/not in SMS_HTTP_HOSTS/);
  expect(fault(named("http", { url: "https://sms.example/" }))).toBeUndefined();
  expect(makeProviders({ ...config, production: false }).fault(named("console"))).toBeUndefined();
});

test("the setting OTP_PROVIDER may name the providers of the worker, and no other", async () => {
  const database = await makeDatabase();
  const faultOf = async (providerToUse: string) => {
    const record = { providerToUse, template: "{{code}}", http: { url: "https://sms.example/" } };
    const [row] = await database.query<{ fault: string | null }>(
      "select private.provider_fault($1) as fault",
      [record],
    );
    return row?.fault;
  };
  const { names } = makeProviders(config);
  for (const name of names) expect([name, await faultOf(name)]).toEqual([name, null]);
  expect(await faultOf("pigeon")).toBe(`providerToUse must be one of ${names.join(", ")}`);
  await database.drop();
});
