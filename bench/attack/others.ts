import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { bearer, type Tokens } from "../../testing/rest_client.ts";

/**
 * Child process with the ordinary clients. Requests start at fixed times and not after the previous response, so that every
 * request during a stall is measured.
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
const password = "correct horse battery";

// Exits when the benchmark is killed.
process.once("disconnect", () => process.exit());
process.once("message", (load: OrdinaryLoad) => void run(load));

async function run({ url, people }: OrdinaryLoad): Promise<never> {
  const pool = new Pool(url, { connections: 64 });
  let requests = 0;
  const seen: Seen[] = [];
  const ask = async (kind: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const started = performance.now();
    const answer = await pool
      .request({
        path,
        method: kind === "health" ? "GET" : "POST",
        headers: {
          ...(body && { "content-type": "application/json" }),
          "x-forwarded-for": `10.1.${(requests >> 8) & 255}.${requests & 255}`,
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      .then(async ({ statusCode, body: stream }) => ({ statusCode, text: await stream.text() }))
      .catch(() => ({ statusCode: 0, text: "" }));
    const refused =
      answer.statusCode !== 200 || (path === "/v1/graphql" && !answer.text.includes('"data":{"'));
    seen.push({ kind, ms: performance.now() - started, status: refused ? answer.statusCode || 1 : 200 });
    return answer.text;
  };
  const open = async (): Promise<Tokens> =>
    (JSON.parse(await ask("guest", "/api/v1/auth/session/guest")) as { data: Tokens }).data;
  // Each guest refreshes once in two seconds, so that its refreshes never overlap: the later one would count as token theft.
  const guests: Tokens[] = [];
  for (let count = 0; count < 25; count++) guests.push(await open());
  const next = () => Math.floor(requests / 4) % guests.length;
  const kinds = [
    () => ask("health", "/api/v1/health"),
    () => ask("guest", "/api/v1/auth/session/guest"),
    async () => {
      const index = next();
      const refresh_token = guests[index]?.refresh_token ?? "";
      const text = await ask(
        "refresh",
        "/api/v1/auth/session/refresh",
        { refresh_token },
        bearer(refresh_token),
      );
      const { data } = JSON.parse(text || "{}") as { data?: Tokens };
      // Without the new token the session is lost; a new one replaces it.
      guests[index] = data ?? (await open());
    },
    () => {
      const guest = guests[next()];
      return ask(
        "graphql",
        "/v1/graphql",
        {
          query: "query ($id: uuid!) { user_session_by_pk(id: $id) { id } }",
          variables: { id: guest?.session_id },
        },
        bearer(guest?.access_token ?? ""),
      );
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
    if (requests % (1000 / intervalMs) === 0) {
      const person = people[Math.floor(requests / 50) % people.length];
      void ask("login", "/api/v1/auth/login", { phone: person?.phone, password });
    } else void kinds[requests % kinds.length]?.();
  }
}
