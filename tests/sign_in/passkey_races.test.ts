import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { createAuthenticator } from "../../testing/service/software_authenticator.ts";
import { count, serverCount, test as baseTest } from "../fixtures/race_fixtures.ts";
import { optionsOf } from "../fixtures/passkey_fixtures.ts";

const test = baseTest.extend("owner", async ({ client, newUser }) => {
  const user = await newUser();
  const header = bearer(user.access_token);
  const passkey = createAuthenticator({ counter: 0 });
  const { challenge_id, options } = optionsOf(await client.post("/auth/factors/passkey/options", undefined, header));
  await client.post("/auth/factors/passkey", { challenge_id, credential: passkey.create(options) }, header);
  return { ...user, passkey };
});

const accountOf = (phone: string) => ({
  text: `select from "user".account where phone = $1 for update`,
  values: [phone],
});

test("of 20 parallel answers to one challenge, each with a count of its own, one opens a session", async ({
  client,
  database,
  owner,
  parallel,
}) => {
  const { challenge_id, options } = optionsOf(await client.post("/auth/login/passkey/options"));
  const answers = await raceBehindLock(database, accountOf(owner.phone), serverCount, () =>
    parallel(20, (server, headers) =>
      server.post("/auth/login/passkey", { challenge_id, credential: owner.passkey.get(options) }, headers),
    ),
  );
  expect(count(answers, 200)).toBe(1);
  expect(count(answers, 401)).toBe(19);
});

test("a signature that answers two challenges of a passkey that counts, at once, opens one session", async ({
  client,
  database,
  owner,
  parallel,
}) => {
  const begun = await Promise.all(
    Array.from({ length: serverCount }, async () => optionsOf(await client.post("/auth/login/passkey/options"))),
  );
  // A copy in each device: all have the same count.
  const copies = begun.map(() => owner.passkey.clone());
  const answers = await raceBehindLock(database, accountOf(owner.phone), serverCount, () =>
    parallel(serverCount, (server, headers, index) => {
      const { challenge_id, options } = begun[index]!;
      return server.post("/auth/login/passkey", { challenge_id, credential: copies[index]!.get(options) }, headers);
    }),
  );
  expect(count(answers, 200)).toBe(1);
  expect(count(answers, 401)).toBe(serverCount - 1);
});
