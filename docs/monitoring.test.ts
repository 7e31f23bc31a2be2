import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { childEnvironment } from "../testing/child_environment.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { eventually } from "../testing/eventually.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { adminOf, askGraphql } from "../testing/graphql/graphql_client.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { newPhone } from "../testing/service/people.ts";
import { createRestClient } from "../testing/service/rest_client.ts";
import { receiptSettings } from "../testing/service/service.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { postAsGateway } from "../tests/fixtures/receipt_fixtures.ts";

type Line = Record<string, unknown>;

const root = join(import.meta.dirname, "..");
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

/** Starts a program whose log is a file, and returns the first line that has a message. */
function startProgram(name: string, folder: string, env: NodeJS.ProcessEnv) {
  const file = join(folder, `${name}.log`);
  const child = spawn(process.execPath, [join(root, name, "main.ts")], {
    env: { ...childEnvironment(), ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", openSync(file, "w"), "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((text) => text !== "")
      .map((text) => JSON.parse(text) as Line);
  return async (msg: string): Promise<Line> => {
    await eventually(`the ${name} writes: ${msg}`, () => lines().some((line) => line.msg === msg));
    return lines().find((line) => line.msg === msg) ?? {};
  };
}

test.skipIf(isMissing("jq"))(
  "one SMS is followed through the logs of all processes, by the document's command",
  async ({ service, database, gateway }) => {
    const folder = temporaryFolder();
    const logs = join(folder, "logs");
    mkdirSync(logs);
    const env = {
      ...database.env,
      ...receiptSettings,
      PORT: "0",
      HOST: "127.0.0.1",
      GRAPHQL_PORT: "0",
      GRAPHQL_UPSTREAM: "off",
    };
    const server = startProgram("server", logs, env);
    const { url } = await server("the server is listening");
    const client = createRestClient(String(url).replace("localhost", "127.0.0.1"));
    const worker = startProgram("worker", logs, env);
    await worker("the worker is waiting for jobs");
    const webhook = `${String(url)}/api/v1/auth/webhook/authorize`;
    const graphql = startProgram("graphql", logs, { ...env, AUTH_WEBHOOK_URL: webhook });
    const graphqlUrl = String((await graphql("GraphQL is listening")).url);

    /** What the recipe prints about a message. */
    const follow = async (otpId: unknown): Promise<Line[]> => {
      const [recipe = ""] = documentBlocks("docs/monitoring.md", "Follow one SMS", "sh");
      const printed = await runRecipe(`cd "$FOLDER"\n${recipe}`, { OTP_ID: String(otpId), FOLDER: folder });
      return printed
        .trim()
        .split("\n")
        .filter((text) => text !== "")
        .map((line) => JSON.parse(line) as Line);
    };

    const phone = newPhone();
    await client.sendOtp(newPhone(), "LOGIN", { "x-request-id": "another" });
    const sent = await client.sendOtp(phone, "LOGIN", { "x-request-id": "the-send" });
    const sms = await gateway.next(phone);
    expect((await postAsGateway(client, { id: sms.id, status: "delivered" })).status).toBe(200);
    await worker("job");
    await eventually("the receipt is logged", async () => (await follow(sent.body.data?.otpId)).length >= 4);
    const lines = await follow(sent.body.data?.otpId);
    // The job may end before the request that waits for it is answered.
    expect(lines.map(({ name, msg, route, requestId }) => [name, msg, route, requestId]).sort()).toEqual(
      [
        ["worker", "message sent", undefined, "the-send"],
        ["worker", "job", undefined, "the-send"],
        ["server", "request", "/api/v1/otp/send", "the-send"],
        ["server", "request", "/api/v1/otp/receipts/http", expect.any(String)],
      ].sort(),
    );

    // A message that an admin sends.
    const invited = newPhone();
    await service.set("REGISTRATION", "invited");
    const answer = await askGraphql(graphqlUrl, adminOf(database))(
      `mutation ($phone: String!) { invite(phone: $phone, send: true) { phone } }`,
      { phone: invited },
    );
    expect(answer.body.errors).toBeUndefined();
    const invitation = await gateway.next(invited);
    const [attempt] = await database.query<{ otp_id: string }>(
      "select otp_id from platform.delivery_attempt where id::text = $1 or otp_id::text = $1",
      [invitation.id],
    );
    await eventually("the job is logged", async () => (await follow(attempt?.otp_id)).some(({ msg }) => msg === "job"));
    const [graphqlRequest] = (await follow(attempt?.otp_id)).filter(({ msg }) => msg === "request");
    expect(graphqlRequest).toMatchObject({ name: "graphql", route: "/v1/graphql" });
  },
);
