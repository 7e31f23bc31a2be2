import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";

/**
 * A process of its own: the ordinary load beside an attack. Requests start by the clock and not when the one before was answered,
 * so that a stall is seen by every request that falls into it.
 */
export interface Ordinary {
  url: string;
  people: { phone: string; password: string }[];
}

export interface Seen {
  kind: string;
  ms: number;
  status: number;
}

const everyMs = 20;
const password = "correct horse battery";

// The benchmark was killed: nothing else would end this.
process.once("disconnect", () => process.exit());
process.once("message", (given: Ordinary) => void work(given));

async function work({ url, people }: Ordinary): Promise<never> {
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
  interface Guest {
    access_token: string;
    session_id: string;
    refresh_token: string;
  }
  const open = async (): Promise<Guest> =>
    (JSON.parse(await ask("guest", "/api/v1/auth/session/guest")) as { data: Guest }).data;
  // Each of them refreshes once in two seconds, so that its refreshes never overlap: the later one would be taken for a thief's.
  const guests: Guest[] = [];
  for (let count = 0; count < 25; count++) guests.push(await open());
  const next = () => Math.floor(requests / 4) % guests.length;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
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
      const { data } = JSON.parse(text || "{}") as { data?: Guest };
      // A lost answer ends the session; what that costs is no part of the next measurement.
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
    await delay(Math.max(0, began + ++requests * everyMs - performance.now()));
    // One login a second, each by another person at an address of its own.
    if (requests % (1000 / everyMs) === 0) {
      const person = people[Math.floor(requests / 50) % people.length];
      void ask("login", "/api/v1/auth/login", { phone: person?.phone, password });
    } else void kinds[requests % kinds.length]?.();
  }
}
