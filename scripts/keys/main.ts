import { keysConfig } from "../../config/keys_config.ts";
import { createSealedSigningKey } from "../../config/secrets/sealed_signing_keys.ts";
import { checkVersion } from "../../db/checks/startup_checks.ts";
import { OperatorError, runMain } from "../../runtime/operator_error.ts";
import { withOwner } from "../as_owner.ts";
import { parseKeysArguments } from "./keys_arguments.ts";

interface Row {
  kid: string;
  algorithm: string;
  state: string;
  created_at: Date;
  verifies_until: Date | null;
}

/** npm run keys: the keys in the database that sign tokens. docs/operations.md describes a rotation. */
await runMain(async () => {
  const request = parseKeysArguments(process.argv.slice(2));
  const { databaseUrl, encryptionKeys } = keysConfig(process.env);
  const lines = await withOwner(databaseUrl, "keys", async (client) => {
    const query = client.query.bind(client);
    await checkVersion({ query, schema: "api" });
    const call = async (text: string, values: unknown[]) => {
      const { rows } = await query<{ refusal: string | null }>(`select ${text} as refusal`, values);
      const refusal = rows[0]?.refusal;
      if (refusal) throw new OperatorError(refusal);
    };
    if (request.command === "generate") {
      // Another KEY_ENCRYPTION_KEY than the servers' would make a key that none of them opens.
      const ids = encryptionKeys.map(({ pepperId }) => pepperId);
      const others = await query<{ id: string }>(
        `select distinct k.encryption_key_id as id from private.signing_key k
         where coalesce(k.verifies_until > clock_timestamp(), true) and k.encryption_key_id <> all ($1)`,
        [ids],
      );
      if (others.rows.length > 0)
        throw new OperatorError(
          `KEY_ENCRYPTION_KEY is not the one of the keys in force (${others.rows.map(({ id }) => id).join(", ")}): ` +
            "set it to that of the servers, or name the old one behind the new one. If it is lost: docs/operations.md#signing-keys",
        );
      const { kid, algorithm, sealed_key, encryption_key_id } = createSealedSigningKey(
        encryptionKeys,
        request.algorithm,
      );
      await call("private.add_signing_key($1, $2, $3, $4)", [kid, algorithm, sealed_key, encryption_key_id]);
    } else if (request.command === "promote") await call("private.promote_signing_key($1)", [request.now]);
    else if (request.command === "retire") await call("private.retire_signing_key($1, $2)", [request.kid, request.now]);
    const { rows } = await query<Row>(
      `select k.kid, k.algorithm, k.state, k.created_at, k.verifies_until from private.signing_key k
       order by array_position(array['current', 'next', 'retired'], k.state), k.created_at desc`,
    );
    return rows.filter(({ state }) => request.command !== "next" || state === "next").map(format);
  });
  const none = `There is no ${request.command === "next" ? "next " : ""}key in the database.`;
  console.log(lines.length > 0 ? lines.join("\n") : none);
});

function format({ kid, algorithm, state, created_at, verifies_until }: Row): string {
  const end = verifies_until === null ? "" : `, verifies until ${verifies_until.toISOString()}`;
  return `${kid}  ${algorithm}  ${state}  published ${created_at.toISOString()}${end}`;
}
