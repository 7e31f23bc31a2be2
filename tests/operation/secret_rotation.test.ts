import { describe, expect } from "vitest";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import type { RunningServer } from "../../testing/service/service.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { createWebhookClient } from "../fixtures/webhook_fixtures.ts";

const secretsOf = (name: string) => ({
  ADMIN_SECRET: `${name} admin secret of 32 characters or more`,
  AUTH_WEBHOOK_SECRET: `${name} webhook secret of 32 characters or more`,
});
const [oldSecrets, newSecrets] = [secretsOf("the old"), secretsOf("the new")];

/** Two servers of one database: one has the new secrets already, the other one does not. */
const test = baseTest.extend("servers", { scope: "file" }, async ({ service }, { onCleanup }) => {
  const servers: RunningServer[] = [];
  onCleanup(async () => {
    for (const server of servers) await server.stop();
  });
  for (const secrets of [oldSecrets, newSecrets]) servers.push(await service.startAnotherServer(secrets));
  return servers as [RunningServer, RunningServer];
});

describe("while a rotation deploys new secrets", () => {
  test("a server accepts one ADMIN_SECRET at a time: named ones leave no gap (tests/graphql/admin/admin_names.test.ts)", async ({
    servers: [before, after],
  }) => {
    const statusOf = async ({ url }: RunningServer, secret: string) =>
      (await askGraphql(url, { "x-admin-secret": secret })("{ user_account { id } }")).status;
    expect(await statusOf(before, oldSecrets.ADMIN_SECRET)).toBe(200);
    expect(await statusOf(before, newSecrets.ADMIN_SECRET)).toBe(401);
    expect(await statusOf(after, newSecrets.ADMIN_SECRET)).toBe(200);
    expect(await statusOf(after, oldSecrets.ADMIN_SECRET)).toBe(401);
  });

  test("a server accepts one webhook secret at a time", async ({ servers: [before, after] }) => {
    const { access_token } = tokensOf(await before.client.post("/auth/session/guest"));
    const statusOf = async ({ url }: RunningServer, secret: string) =>
      (await createWebhookClient(url).get({ ...bearer(access_token), "x-webhook-secret": secret })).status;
    expect(await statusOf(before, oldSecrets.AUTH_WEBHOOK_SECRET)).toBe(200);
    expect(await statusOf(before, newSecrets.AUTH_WEBHOOK_SECRET)).toBe(401);
    expect(await statusOf(after, newSecrets.AUTH_WEBHOOK_SECRET)).toBe(200);
    expect(await statusOf(after, oldSecrets.AUTH_WEBHOOK_SECRET)).toBe(401);
  });
});
