import { tokensOf, type Client, type Tokens } from "../../testing/rest_client.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";

/** Creates a user with 300 sessions and 100 one-time passwords, and logs in. */
export async function createHeavyUser(client: Client, { superuser }: GrowthDatabase): Promise<Tokens> {
  const person = { phone: "+12125550100", password: "correct horse battery" };
  await client.post("/auth/register", person);
  await superuser.query(
    "select private.confirm_registration(r) from private.pending_registration r where r.phone = $1",
    [person.phone],
  );
  await superuser.query(`update settings.configuration set value = '"off"' where key = 'SESSIONS_PER_USER'`);
  await superuser.query(
    `insert into "user".session (user_id) select a.id from "user".account a, generate_series(1, 300) where a.phone = $1`,
    [person.phone],
  );
  await superuser.query(
    `insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at)
     select private.new_id(), $1, 'PHONE', 'LOGIN', true, 'sent', now() + n * interval '1 second', now()
     from generate_series(1, 100) n`,
    [person.phone],
  );
  return tokensOf(await client.post("/auth/login", person));
}
