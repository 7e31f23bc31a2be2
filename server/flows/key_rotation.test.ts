import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { newSigningKeys } from "../../common/signing_keys.ts";
import { bearer, tokensOf } from "../../testing/client.ts";
import { startService } from "../../testing/service.ts";

const parse = (keys: string) => (JSON.parse(keys) as { keys: object[] }).keys;

test("a key is rotated with no token lost, and a foreign client verifies both by the published keys", async () => {
  const [oldKeys, newKeys] = [newSigningKeys(), newSigningKeys()];
  const service = await startService({ env: { JWT_KEYS: oldKeys } });
  const both = JSON.stringify({ keys: [...parse(newKeys), ...parse(oldKeys)] });
  const rotated = await service.startAnotherServer({ JWT_KEYS: both });
  const retired = await service.startAnotherServer({ JWT_KEYS: newKeys });
  try {
    const before = tokensOf(await service.client.post("/auth/session/guest"));
    const after = tokensOf(await rotated.client.refresh(before.refresh_token));
    expect(decodeProtectedHeader(after.access_token).kid).not.toBe(
      decodeProtectedHeader(before.access_token).kid,
    );
    expect((await rotated.client.get("/auth/webhook/authorize", bearer(before.access_token))).status).toBe(
      200,
    );

    const keySet = createRemoteJWKSet(new URL(`${rotated.url}/.well-known/jwks.json`));
    for (const token of [before.access_token, after.access_token]) {
      const { payload, protectedHeader } = await jwtVerify(token, keySet, {
        issuer: "latchkey",
        audience: "latchkey-api",
        typ: "at+jwt",
        algorithms: ["ES256"],
      });
      expect(protectedHeader.alg).toBe("ES256");
      expect(payload).toMatchObject({
        sid: before.session_id,
        sub: before.session_id,
        role: "guest",
        token_use: "access",
      });
      expect(payload["https://hasura.io/jwt/claims"]).toEqual({
        "x-hasura-default-role": "guest",
        "x-hasura-allowed-roles": ["guest"],
        "x-hasura-session-id": before.session_id,
      });
    }
    await expect(jwtVerify(after.refresh_token, keySet, { audience: "latchkey-api" })).rejects.toThrow(
      /"aud"/,
    );

    expect((await retired.client.get("/auth/webhook/authorize", bearer(after.access_token))).status).toBe(
      200,
    );
    expect((await retired.client.get("/auth/webhook/authorize", bearer(before.access_token))).status).toBe(
      401,
    );
  } finally {
    await rotated.stop();
    await retired.stop();
    await service.stop();
  }
});
