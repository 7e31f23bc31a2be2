import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { anonymous, bearer, jwt, phoneNumber } from "better-auth/plugins";
import console from "node:console";
import { createServer } from "node:http";
import { env } from "node:process";
import pg from "pg";

/**
 * better-auth with its own defaults, on the tables that it creates in DATABASE_URL. Sends codes to SMS_URL and prints
 * its own URL.
 */
const sendOTP = async ({ phoneNumber: to, code }) => {
  const { ok } = await globalThis.fetch(env.SMS_URL, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ to, body: code }),
  });
  if (!ok) throw new Error("the vendor refused");
};
const server = createServer().listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const options = {
    baseURL: url,
    secret: "a secret of the benchmark, which is long enough",
    database: new pg.Pool({ connectionString: env.DATABASE_URL, max: 10 }),
    emailAndPassword: { enabled: true },
    plugins: [
      phoneNumber({
        sendOTP,
        signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@example.org` },
      }),
      anonymous(),
      bearer(),
      jwt(),
    ],
  };
  await (await getMigrations(options)).runMigrations();
  server.on("request", toNodeHandler(betterAuth(options)));
  console.log(JSON.stringify({ url }));
});
