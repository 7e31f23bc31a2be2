import express from "express";
import jwt from "jsonwebtoken";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { request } from "undici";

/**
 * Baseline of the benchmarks: the minimum that our routes need. Express, one committed statement, two ES256 signatures, and for
 * GraphQL a webhook and a transaction; no rate limits, revocation, grace period, log or row-level security. Creates a table in
 * DATABASE_URL and prints its own URL.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? "", max: 10 });
await pool.query("create table bare_session (id uuid primary key, token_id uuid, expires_at timestamptz)");
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const tokensOf = (id: string, jti: string) => {
  const sign = () =>
    jwt.sign({ sub: id, jti, iss: "bare", aud: "bare" }, privateKey, { algorithm: "ES256", expiresIn: 3600 });
  return { id, access_token: sign(), refresh_token: sign() };
};
const verify = (token: string) =>
  jwt.verify(token, publicKey, { algorithms: ["ES256"], issuer: "bare", audience: "bare" }) as jwt.JwtPayload;

let url = "";
const app = express();
app.disable("etag");
app.post("/guest", async (_request, response) => {
  const [id, jti] = [randomUUID(), randomUUID()];
  await pool.query("insert into bare_session values ($1, $2, now())", [id, jti]);
  response.json({ data: tokensOf(id, jti) });
});
/** The floor of a write: one committed row. */
app.post("/insert", async (_request, response) => {
  const id = randomUUID();
  await pool.query("insert into bare_session values ($1, $1, now())", [id]);
  response.json({ data: { id } });
});
/** The floor of a send: a row, a job and the notification that the SMS was sent, all of them committed. See bare_worker.ts. */
const waiting = new Map<string, () => void>();
async function listen(): Promise<void> {
  const listener = new pg.Client({ connectionString: process.env.DATABASE_URL ?? "" });
  await listener.connect();
  listener.on("notification", ({ payload = "" }) => waiting.get(payload)?.());
  await listener.query("listen bare_sent");
}
let listening: Promise<void> | undefined;
app.post("/send", express.json(), async (sending, response) => {
  await (listening ??= listen());
  const { phone, url: vendor } = sending.body as { phone: string; url: string };
  const id = randomUUID();
  const sent = new Promise<void>((resolve) => waiting.set(id, resolve));
  await pool.query(
    `with otp as (insert into bare_otp (id, phone, url) values ($1, $2, $3) returning id)
     select graphile_worker.add_job('bare_send', json_build_object('id', id)) from otp`,
    [id, phone, vendor],
  );
  await sent;
  waiting.delete(id);
  response.json({ data: { id } });
});
app.post("/refresh", express.json(), async (request, response) => {
  const { sub, jti } = verify((request.body as { refresh_token: string }).refresh_token);
  const next = randomUUID();
  await pool.query("update bare_session set token_id = $3 where id = $1 and token_id = $2", [sub, jti, next]);
  response.json({ data: tokensOf(sub ?? "", next) });
});

const idsByToken = new Map<string, string>();
app.get("/webhook", async (request, response) => {
  const token = request.headers.authorization ?? "";
  const id = idsByToken.get(token) ?? verify(token.slice(7)).sub ?? "";
  idsByToken.set(token, id);
  const { rowCount } = await pool.query("select from bare_session where id = $1", [id]);
  response.json({ id, found: rowCount });
});
app.post("/query", express.json(), async (query, response) => {
  const { authorization = "" } = query.headers;
  const answer = await request(`${url}/webhook`, { headers: { authorization } });
  const { id } = (await answer.body.json()) as { id: string };
  const client = await pool.connect();
  await client.query(`begin read only; set local statement_timeout to 5000`);
  const { rows } = await client.query("select id, token_id from bare_session where id = $1", [id]);
  await client.query("commit");
  client.release();
  response.json({ data: rows[0] as unknown });
});

const server = app.listen(0, "127.0.0.1", () => {
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(JSON.stringify({ url }));
});
