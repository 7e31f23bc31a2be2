import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { bearer, type Tokens } from "../../testing/service/rest_client.ts";
import { from } from "../parts/lean_client.ts";

/**
 * Child process with the ordinary clients. Requests start at fixed times and not after the previous response, so that
 * every request during a stall is measured.
 */
export interface OrdinaryLoad {
  url: string;
  people: { phone: string; password: string }[];
}

/** One measured request; status 200 only if it succeeded. */
export interface Seen {
  kind: string;
  ms: number;
  status: number;
}

const intervalMs = 20;
const query = "query ($id: uuid!) { user_session_by_pk(id: $id) { id } }";

// Exits when the benchmark is killed.
process.once("disconnect", () => process.exit());
process.once("message", (load: OrdinaryLoad) => void run(load));

async function run({ url, people }: OrdinaryLoad): Promise<never> {
  const pool = new Pool(url, { connections: 64 });
  let requests = 0;
  const seen: Seen[] = [];
  const ask = async (kind: string, path: string, body?: object, token?: string) => {
    const started = performance.now();
    const headers = { ...from(65_536 + (requests & 65_535)), ...(token !== undefined && bearer(token)) };
    const { status, text } = await pool
      .request({
        path,
        method: kind === "health" ? "GET" : "POST",
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
      .then(async (answer) => ({ status: answer.statusCode, text: await answer.body.text() }))
      .catch(() => ({ status: 0, text: "" }));
    const isRefused = status !== 200 || (kind === "graphql" && !text.includes('"data":{"'));
    seen.push({ kind, ms: performance.now() - started, status: isRefused ? status || 1 : 200 });
    return isRefused ? undefined : (JSON.parse(text) as { data?: Tokens }).data;
  };
  const open = () => ask("guest", "/api/v1/auth/session/guest");
  // Each guest refreshes once in two seconds, so that its refreshes never overlap: the later one would count as token
  // theft.
  const guests: Tokens[] = [];
  while (guests.length < 25) {
    const guest = await open();
    if (guest) guests.push(guest);
  }
  const next = () => Math.floor(requests / 4) % guests.length;
  const kinds = [
    () => ask("health", "/api/v1/health"),
    open,
    async () => {
      const index = next();
      const token = guests[index]?.refresh_token;
      const tokens = await ask("refresh", "/api/v1/auth/session/refresh", { refresh_token: token }, token);
      // Without the new token the session is lost; a new one replaces it.
      const renewed = tokens ?? (await open());
      if (renewed) guests[index] = renewed;
    },
    () => {
      const guest = guests[next()];
      const variables = { id: guest?.session_id };
      return ask("graphql", "/v1/graphql", { query, variables }, guest?.access_token);
    },
  ];
  process.on("message", (message) => {
    if (message === "collect") process.send?.(seen.splice(0));
  });
  process.send?.("ready");
  const began = performance.now();
  for (;;) {
    await delay(Math.max(0, began + ++requests * intervalMs - performance.now()));
    // One login per second, each by another person with another address.
    const isLogin = requests % (1000 / intervalMs) === 0;
    if (isLogin) void ask("login", "/api/v1/auth/login", people[Math.floor(requests / 50) % people.length]);
    else void kinds[requests % kinds.length]?.();
  }
}
