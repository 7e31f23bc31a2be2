import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, type JWTVerifyResult } from "jose";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import type { RunningServer } from "../../testing/service/service.ts";

/** The keys that `npm run --silent make:jwt-keys` prints. */
function makeKeys(): object[] {
  const command = ["run", "--silent", "make:jwt-keys"];
  const stdout = execFileSync("npm", command, { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" });
  return (JSON.parse(stdout) as { keys: object[] }).keys;
}

const [oldKey, newKey] = [makeKeys(), makeKeys()];

/** JWT_KEYS before a rotation and after each of its steps, as docs/operations.md describes them. */
const steps = [oldKey, [...oldKey, ...newKey], [...newKey, ...oldKey], newKey].map((keys) => JSON.stringify({ keys }));

/** `servers` has one server for each step. */
const test = baseTest.extend("servers", { scope: "file" }, async ({ service }, { onCleanup }) => {
  const servers: RunningServer[] = [];
  onCleanup(async () => {
    for (const server of servers) await server.stop();
  });
  for (const JWT_KEYS of steps) servers.push(await service.startAnotherServer({ JWT_KEYS }));
  return servers as [RunningServer, RunningServer, RunningServer, RunningServer];
});

const newGuest = async ({ client }: RunningServer) => tokensOf(await client.post("/auth/session/guest"));
const authorizeStatus = async ({ client }: RunningServer, token: string) =>
  (await client.get("/auth/webhook/authorize", bearer(token))).status;

/** Verifies an access token with the keys that the server publishes, as a foreign client does. */
const verify = (
  { url }: RunningServer,
  token: string,
  checks: { typ?: string } = { typ: "at+jwt" },
): Promise<JWTVerifyResult> =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`)), {
    issuer: "latchkey",
    audience: "latchkey-api",
    algorithms: ["ES256"],
    ...checks,
  });

test.for<[number, number]>([
  [0, 1],
  [1, 2],
  [2, 3],
])(
  "while step %i is replaced by %i, each accepts and refreshes the other's tokens",
  async ([before, after], { servers }) => {
    const [oldServer, newServer] = [servers[before]!, servers[after]!];
    for (const [from, to] of [
      [oldServer, newServer],
      [newServer, oldServer],
    ] as const) {
      const { access_token, refresh_token } = await newGuest(from);
      expect(await authorizeStatus(to, access_token)).toBe(200);
      await expect(verify(to, access_token)).resolves.toBeDefined();
      expect((await to.client.refresh(refresh_token)).status).toBe(200);
    }
  },
);

test("a skipped step invalidates tokens: a server with only the old key refuses those of the new one", async ({
  servers,
}) => {
  const { access_token } = await newGuest(servers[2]);
  expect(await authorizeStatus(servers[0], access_token)).toBe(401);
});

test("the first key signs: the old one until the swap and the new one after it, and tokens of the old key are refused once it is removed", async ({
  servers,
}) => {
  const tokens = await Promise.all(servers.map(async (server) => (await newGuest(server)).access_token));
  const kids = tokens.map((token) => decodeProtectedHeader(token).kid);
  expect(kids[1]).toBe(kids[0]);
  expect(kids[2]).not.toBe(kids[0]);
  expect(kids[3]).toBe(kids[2]);
  expect(await authorizeStatus(servers[3], tokens[1]!)).toBe(401);
});

test("another service reads the claims of an access token, and does not accept a refresh token", async ({
  servers,
}) => {
  const server = servers[2];
  const { access_token, refresh_token, session_id } = await newGuest(server);
  const { payload, protectedHeader } = await verify(server, access_token);
  expect(protectedHeader.alg).toBe("ES256");
  expect(payload).toMatchObject({ sid: session_id, sub: session_id, role: "guest", token_use: "access" });
  expect(payload["https://hasura.io/jwt/claims"]).toEqual({
    "x-hasura-default-role": "guest",
    "x-hasura-allowed-roles": ["guest"],
    "x-hasura-session-id": session_id,
  });
  await expect(verify(server, refresh_token)).rejects.toThrow(/"typ"/);
  await expect(verify(server, refresh_token, {})).rejects.toThrow(/"aud"/);
});
