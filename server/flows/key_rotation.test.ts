import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, type JWTVerifyResult } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSigningKeys } from "../../config/signing_keys.ts";
import { bearer, tokensOf, type Client } from "../../testing/client.ts";
import { startService, type Service } from "../../testing/service.ts";

const [oldKey, newKey] = [createSigningKeys(), createSigningKeys()].map(
  (keys) => (JSON.parse(keys) as { keys: object[] }).keys,
) as [object[], object[]];

/** What JWT_KEYS holds before a rotation and after each step of it, as docs/operations.md tells them. */
const steps = [oldKey, [...oldKey, ...newKey], [...newKey, ...oldKey], newKey].map((keys) =>
  JSON.stringify({ keys }),
);

/** A server of each step. */
let servers: { url: string; client: Client; stop: () => Promise<void> }[];
let service: Service;
beforeAll(async () => {
  service = await startService({ env: { JWT_KEYS: steps[0] } });
  servers = [service];
  for (const JWT_KEYS of steps.slice(1)) servers.push(await service.startAnotherServer({ JWT_KEYS }));
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

const newGuest = async (step: number) => tokensOf(await servers[step]!.client.post("/auth/session/guest"));
const accepts = async (step: number, token: string) =>
  (await servers[step]!.client.get("/auth/webhook/authorize", bearer(token))).status;

/** What a foreign client says of an access token, by the keys that a server publishes. */
const verify = (
  step: number,
  token: string,
  checks: { typ?: string } = { typ: "at+jwt" },
): Promise<JWTVerifyResult> =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${servers[step]!.url}/.well-known/jwks.json`)), {
    ...{ issuer: "latchkey", audience: "latchkey-api", algorithms: ["ES256"], ...checks },
  });

test.each([
  [0, 1],
  [1, 2],
  [2, 3],
])(
  "while step %i is replaced by %i, each accepts and refreshes the other's tokens",
  async (before, after) => {
    for (const [from, to] of [
      [before, after],
      [after, before],
    ] as const) {
      const { access_token, refresh_token } = await newGuest(from);
      expect(await accepts(to, access_token)).toBe(200);
      await expect(verify(to, access_token)).resolves.toBeDefined();
      expect((await servers[to]!.client.refresh(refresh_token)).status).toBe(200);
    }
  },
);

test("a step that is left out costs tokens: a server with the old key only refuses the new one's", async () => {
  expect(await accepts(0, (await newGuest(2)).access_token)).toBe(401);
});

test("the first key signs: the old one until the swap, after it the new one, and the old one's tokens end with it", async () => {
  const tokens = await Promise.all([0, 1, 2, 3].map(async (step) => (await newGuest(step)).access_token));
  const kids = tokens.map((token) => decodeProtectedHeader(token).kid);
  expect(kids[1]).toBe(kids[0]);
  expect(kids[2]).not.toBe(kids[0]);
  expect(kids[3]).toBe(kids[2]);
  expect(await accepts(3, tokens[1]!)).toBe(401);
});

test("a foreign client reads the claims of an access token, and takes no refresh token for one", async () => {
  const { access_token, refresh_token, session_id } = await newGuest(2);
  const { payload, protectedHeader } = await verify(2, access_token);
  expect(protectedHeader.alg).toBe("ES256");
  expect(payload).toMatchObject({ sid: session_id, sub: session_id, role: "guest", token_use: "access" });
  expect(payload["https://hasura.io/jwt/claims"]).toEqual({
    "x-hasura-default-role": "guest",
    "x-hasura-allowed-roles": ["guest"],
    "x-hasura-session-id": session_id,
  });
  await expect(verify(2, refresh_token)).rejects.toThrow(/"typ"/);
  await expect(verify(2, refresh_token, {})).rejects.toThrow(/"aud"/);
});
