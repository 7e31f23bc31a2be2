import express from "express";
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import pg from "pg";

/**
 * The floors of the benchmarks: Express, and one statement of PostgreSQL in its own transaction, without any rule.
 * Creates its tables in DATABASE_URL and prints its own URL.
 */
const connectionString = process.env.DATABASE_URL ?? "";
const pool = new pg.Pool({ connectionString, max: 10 });
const fixed = randomUUID();
await pool.query("create table floor_row (id uuid primary key, token_id uuid, expires_at timestamptz)");
await pool.query("insert into floor_row values ($1, $1, now())", [fixed]);

const app = express();
app.disable("etag");
app.get("/hello", (_request, response) => {
  response.json({ data: { id: fixed } });
});
app.get("/select", async (_request, response) => {
  const text = "select id, token_id from floor_row where id = $1";
  const { rows } = await pool.query<object>({ name: "select", text, values: [fixed] });
  response.json({ data: rows[0] });
});
app.post("/insert", async (_request, response) => {
  const id = randomUUID();
  await pool.query({ name: "insert", text: "insert into floor_row values ($1, $1, now())", values: [id] });
  response.json({ data: { id } });
});
/**
 * The floor of a login, on all cores: PostgreSQL's bcrypt of our cost, on as many connections as LOGIN_CONNECTIONS
 * says.
 */
const hashing = new pg.Pool({ connectionString, max: Number(process.env.LOGIN_CONNECTIONS) });
await hashing.query("create extension if not exists pgcrypto");
app.post("/bcrypt", async (_request, response) => {
  const { rows } = await hashing.query<object>("select crypt('x', gen_salt('bf', 10)) as id");
  response.json({ data: rows[0] });
});
/**
 * The floor of a send: a row, a job and the notification that the SMS was sent, all of them committed. See
 * floor_worker.ts.
 */
const waiting = new Map<string, () => void>();
async function listen(): Promise<void> {
  const listener = new pg.Client({ connectionString });
  await listener.connect();
  listener.on("notification", ({ payload = "" }) => waiting.get(payload)?.());
  await listener.query("listen floor_sent");
}
let listening: Promise<void> | undefined;
app.post("/send", express.json(), async (sending, response) => {
  await (listening ??= listen());
  const { phone, url: vendor } = sending.body as { phone: string; url: string };
  const id = randomUUID();
  const sent = new Promise<void>((resolve) => waiting.set(id, resolve));
  await pool.query(
    `with otp as (insert into floor_otp (id, phone, url) values ($1, $2, $3) returning id)
     select graphile_worker.add_job('floor_send', json_build_object('id', id)) from otp`,
    [id, phone, vendor],
  );
  await sent;
  waiting.delete(id);
  response.json({ data: { id } });
});

const server = app.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
