import { describe, expect } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";
import { receiptSettings, type RunningServer } from "../../testing/service/service.ts";
import { startWorker } from "../../worker/worker.ts";
import { postAsGateway } from "../fixtures/receipt_fixtures.ts";

const oldSecret = receiptSettings.SMS_HTTP_SIGNING_SECRET;
const newSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

describe("a rotation of a vendor's credentials", () => {
  test("a worker sends with the token that it was started with", async ({ database, client, gateway }) => {
    async function tokenOfWorker(token: string): Promise<string | undefined> {
      const env = { ...database.env, SMS_HTTP_TOKEN: token };
      const worker = await startWorker(workerConfig(env), createLog("test", "silent"));
      try {
        const phone = newPhone();
        const [answer, { headers }] = await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
        expect(answer.status).toBe(200);
        return headers.authorization;
      } finally {
        await worker.stop();
      }
    }
    expect(await tokenOfWorker("the old token")).toBe("Bearer the old token");
    expect(await tokenOfWorker("the new token")).toBe("Bearer the new token");
  });

  test("a server accepts receipts by the secret that it was started with, and answers others 401", async ({
    service,
  }) => {
    const restarted = await service.startAnotherServer({ SMS_HTTP_SIGNING_SECRET: newSecret });
    const receipt = { id: "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f", status: "delivered" };
    const statusOf = async ({ client }: RunningServer, secret: string) =>
      (await postAsGateway(client, receipt, new Date(), secret)).status;
    expect(await statusOf(service, oldSecret)).toBe(200);
    expect(await statusOf(service, newSecret)).toBe(401);
    expect(await statusOf(restarted, newSecret)).toBe(200);
    expect(await statusOf(restarted, oldSecret)).toBe(401);
  });
});
