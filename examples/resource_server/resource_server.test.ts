import { spawn } from "node:child_process";
import { once } from "node:events";
import { decodeJwt } from "jose";
import { afterAll, expect } from "vitest";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { test as base } from "../../testing/fixtures.ts";
import { logIn, signUp } from "../../testing/service/people.ts";

const children: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

const test = base.extend<{ orders: (headers?: Record<string, string>) => Promise<Response> }>({
  orders: async ({ service }, use) => {
    const env = { ...process.env, LATCHKEY_URL: service.url, PORT: "0" };
    const child = spawn(process.execPath, [`${import.meta.dirname}/resource_server.ts`], { env });
    children.push(child);
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    await use((headers = {}) => fetch(line.toString().trim(), { headers }));
  },
});

test("a user is let in, by the public keys alone", async ({ service, orders }) => {
  const { access_token } = await logIn(service, await signUp(service));
  const answer = await orders({ authorization: `Bearer ${access_token}` });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ orders: [], userId: decodeJwt(access_token).sub });
});

test("a guest, a refresh token, a changed token and nobody are refused", async ({ service, orders }) => {
  const guest = tokensOf(await service.client.post("/auth/session/guest", {}));
  const user = await logIn(service, await signUp(service));
  const changed = user.access_token.slice(0, -4) + (user.access_token.endsWith("AAAA") ? "BBBB" : "AAAA");
  for (const authorization of [
    `Bearer ${guest.access_token}`,
    `Bearer ${user.refresh_token}`,
    `Bearer ${changed}`,
    "Bearer nonsense",
    "",
  ]) {
    const answer = await orders({ authorization });
    expect([authorization, answer.status]).toEqual([authorization, 401]);
  }
});
