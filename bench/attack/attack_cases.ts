import { createClient } from "graphql-ws";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, constants } from "node:zlib";
import pg from "pg";
import { WebSocket } from "ws";
import type { Tokens } from "../../testing/service/rest_client.ts";
import { nested, nextSerial, permitted, repeat, slowToPlan, slowest } from "./documents.ts";
import { bearer, each, from, graphql, lanes, posting, sessionsPerUser, type Case, type Count } from "./means.ts";

/** Refreshes the sessions in turn, a hundred a second, as long as no more than a hundred wait. */
function refreshInTurn(url: string, tokens: Tokens[], count: Count): void {
  const post = posting(url, 100);
  void each(10, 100, async (turn) => {
    const index = turn % tokens.length;
    const token = tokens[index]?.refresh_token;
    const answer = await post("/api/v1/auth/session/refresh", { refresh_token: token }, bearer(token));
    count(`refresh ${answer.status}`);
    const renewed = (JSON.parse(answer.text) as { data?: Tokens }).data;
    if (renewed) tokens[index] = renewed;
  });
}

/** Mutations that lock the rows of `users` users, and calls about those rows. */
const heldRows =
  (users: number): Case =>
  ({ url, sessions }, count) => {
    const ask = graphql(url, count);
    // Updates all of the user's sessions, then selects so slowly that the mutation times out and is rolled back. It can
    // be repeated.
    const never = `{_or: [${Array.from({ length: 150 }, (_, index) => `{created_at: {_gt: "${2100 + index}-01-01"}}`).join(", ")}]}`;
    const slow = `user { sessions(limit: 33) { user { sessions(limit: 33) { user { sessions(limit: 8, where: ${never}) { id } } } } } }`;
    const [mutating, tokens] = ([true, false] as const).map((mutates) =>
      sessions.slice(0, users * sessionsPerUser).filter((_, index) => (index % sessionsPerUser === 0) === mutates),
    ) as [Tokens[], Tokens[]];
    // All at a moderate rate: this case is about rows that stay locked, not about floods.
    lanes(users, async (lane) => {
      const session = mutating[lane];
      await ask(
        session?.access_token,
        `mutation { revoke_other_sessions { id } revoke_session(id: "${session?.session_id}") { ${slow} } }`,
      );
      await delay(50);
    });
    refreshInTurn(url, tokens, count);
  };

/**
 * Guests, each with an address and four requests at once: documents that are slow to plan, and conditions as dear as
 * the limits allow.
 */
const worstDocuments =
  (guests: number): Case =>
  ({ url }, count) => {
    const post = posting(url, 4 * guests);
    const ask = graphql(url, count, 4 * guests);
    const tokens = Array.from({ length: guests }, async (_, guest) => {
      const { text } = await post("/api/v1/auth/session/guest", {}, from(`203.0.113.${guest}`));
      return (JSON.parse(text) as { data: Tokens }).data.access_token;
    });
    lanes(4 * guests, async (lane) => {
      const document = lane % 2 ? slowToPlan() : `{ user_session(where: ${permitted(nextSerial())}) { id } }`;
      await ask(await tokens[lane % guests], document, {}, from(`203.0.113.${lane % guests}`));
    });
  };

const connectionInit = (token = "") =>
  JSON.stringify({ type: "connection_init", payload: { Authorization: bearer(token).authorization } });

const counting =
  (backends: number): Case =>
  ({ databaseUrl }, count) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: backends });
    lanes(backends, async () => {
      await pool.query("select count(*) from (select generate_series(1, 2000000)) s");
      count("counted");
    });
  };

export const cases: Record<string, Case> = {
  // Controls: the effect on others when PostgreSQL keeps one core or two busy, with any work. No attack may need more
  // than half of the cores, but it may make PostgreSQL use them.
  "0 a backend that counts": counting(1),
  "0 a backend that counts, and refreshes": (attack, count) => {
    counting(1)(attack, count);
    refreshInTurn(attack.url, [...attack.sessions], count);
  },
  "0 two backends that count": counting(2),
  "1 conditions through relations": ({ url, guests, users }, count) => {
    const ask = graphql(url, count);
    lanes(8, async (lane) => {
      const token = (lane % 2 ? guests : users)[lane % users.length];
      const many = `{_and: [${repeat("{user: {sessions: {}}}", 2500)}]}`;
      const serial = nextSerial();
      const where = [many, nested(200), permitted(serial), "$where", slowest][serial % 5];
      const variables = { where: { _and: Array(500).fill({ user: { sessions: {} } }) } };
      const isVariable = where === "$where";
      const head = isVariable ? "query ($where: user_session_bool_exp)" : "query";
      await ask(token, `${head} { user_session(where: ${where}) { id } }`, isVariable ? variables : {});
    });
  },
  "2 documents that are slow to plan": ({ url, guests }, count) => {
    const ask = graphql(url, count);
    lanes(8, (lane) => ask(guests[lane % guests.length], slowToPlan()));
  },
  "2 worst documents of one guest": worstDocuments(1),
  "2 worst documents of fifty guests from fifty addresses": worstDocuments(50),
  "3 limit by a null variable": ({ url, users }, count) => {
    const ask = graphql(url, count);
    const fields = Array.from({ length: 20 }, (_, n) => `a${n}: id b${n}: created_at`).join(" ");
    lanes(8, (lane) =>
      ask(
        users[lane % users.length],
        `query ($x: Int = null) { user_session(limit: $x) { ${fields} user { sessions(limit: $x) { ${fields} } } } }`,
      ),
    );
  },
  "5 passwords from fifty addresses": ({ url, people }, count) => {
    const post = posting(url, 200);
    lanes(200, async (lane) => {
      const { phone, password } = people[lane % people.length] ?? {};
      const body = { phone, password: nextSerial() % 2 ? password : "wrong" };
      count((await post("/api/v1/auth/login", body, from(`203.0.113.${lane % 50}`))).status);
    });
  },
  "5 wrong passwords, 64 in flight": ({ url, people }, count) => {
    const post = posting(url, 64);
    lanes(64, async (lane) => {
      const body = { phone: people[lane % people.length]?.phone, password: "wrong" };
      count((await post("/api/v1/auth/login", body, from(`203.0.113.${lane % 50}`))).status);
    });
  },
  // SQL takes the place of 25 days of permitted logins. Each end must answer 200: before session epochs it timed out.
  "7 ends of 220,000 sessions": ({ url, databaseUrl, users }, count) => {
    const post = posting(url, 1);
    const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    lanes(1, async () => {
      await database.query(
        `set session_replication_role = replica;
         insert into "user".session
           (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, session_epoch)
           select gen_random_uuid(), a.id, 'user', 'user', gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(),
             now() + interval '30 days', a.session_epoch
           from (select * from "user".account where phone ~ '^[+]1212555[23]' order by phone limit 1) a, generate_series(1, 220000)`,
      );
      const { status } = await post("/api/v1/auth/sessions/revoke-others", {}, bearer(users[0]));
      count(`revoke-others ${status}`);
    });
  },
  // Forty addresses, three calls each in 22 seconds: the others' native logins must not wait for the digests.
  "8 dear imported hashes from forty addresses": ({ url, databaseUrl }, count) => {
    const post = posting(url, 200);
    const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const imported = database.query(
      `insert into "user".account (id, phone, phone_verified_at, password_hash, foreign_parameters)
         select private.new_id(), '+1303555' || lpad(n::text, 4, '0'), now(), private.hash_password('x'),
           '$argon2id$v=19$m=131072,t=2,p=1$' || repeat('A', 22) || '$32'
         from generate_series(0, 39) n on conflict do nothing`,
    );
    void each(180, 200, async (turn) => {
      await imported;
      const phone = `+1303555${String(turn % 40).padStart(4, "0")}`;
      const headers = from(`198.51.100.${turn % 40}`);
      count((await post("/api/v1/auth/login", { phone, password: "wrong" }, headers)).status);
    });
  },
  "9 mutations that hold rows, of one user": heldRows(1),
  "9 mutations that hold rows, of eight users": heldRows(8),
  "10 sockets": ({ url, guests }, count) => {
    const address = `${url.replace("http", "ws")}/v1/graphql`;
    const open = () => new WebSocket(address, "graphql-transport-ws");
    // Clients that never read, before and after connection_init.
    lanes(40, async (lane) => {
      const socket = open();
      socket.on("error", () => undefined);
      await new Promise((resolve) => socket.once("open", resolve).once("error", resolve).once("close", resolve));
      if (lane % 2) socket.send(connectionInit(guests[lane % guests.length]));
      socket.pause();
      const ping = JSON.stringify({ type: "ping", payload: { x: "x".repeat(30_000) } });
      for (let sent = 0; sent < 2_000 && socket.readyState === socket.OPEN; sent++) {
        socket.send(ping);
        if (socket.bufferedAmount > 4e6) await delay(20);
      }
      count(`never-reading peer ${socket.readyState === socket.OPEN ? "still open" : "closed"}`);
      socket.terminate();
    });
    // Subscriptions that are opened and completed in a loop.
    lanes(8, async (lane) => {
      const client = createClient({
        url: address,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { Authorization: bearer(guests[lane % guests.length]).authorization },
      });
      for (let cycle = 0; cycle < 100; cycle++) {
        const subscription = client.iterate({ query: "subscription { user_session { id } }" });
        await subscription.next();
        await subscription.return?.();
        count("subscription");
      }
      await client.dispose();
    });
  },
  "11 bodies that Brotli makes large": ({ url }, count) => {
    const post = posting(url, 100);
    // A window of 16 MiB, which a decoder holds for each stream.
    const body = brotliCompressSync(Buffer.alloc(24 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
    });
    const paths = ["/api/v1/auth/login", "/api/v1/auth/webhook/authorize"];
    lanes(100, async () => {
      count((await post(paths[nextSerial() % paths.length] ?? "", body, { "content-encoding": "br" })).status);
      await delay(1_000);
    });
  },
  "12 passwords of combining marks": ({ url }, count) => {
    const post = posting(url, 20);
    const password = `a${"\u0301".repeat(3_900)}${"\u0323".repeat(3_900)}`;
    const paths = ["/api/v1/auth/register", "/api/v1/auth/login", "/api/v1/auth/reset-password/verify"];
    // Ten a second were enough to keep a server from answering.
    void each(100, 20, async (turn) => {
      const body = { phone: "+12125550123", otp: "123456", password, newPassword: password };
      count((await post(paths[turn % paths.length] ?? "", body, from(`203.0.113.${turn % 50}`))).status);
    });
  },
  "13 answers that nobody reads": ({ url }, count) => {
    const { hostname, port } = new URL(url);
    const request = "GET /console/static/ruru.js HTTP/1.1\r\nHost: x\r\n\r\n";
    // Four hundred requests at once, which ends the connection, and sixteen, which wait until their answers are read.
    lanes(40, async (lane) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      socket.pause();
      await once(socket, "connect");
      socket.write(request.repeat(lane % 2 ? 400 : 16));
      const writing = setInterval(() => socket.write("\r\n"), 500);
      // Not once() of node:events, which an error of the socket rejects.
      await new Promise((resolve) => socket.once("close", resolve));
      clearInterval(writing);
      count("connection ended");
      await delay(200);
    });
  },
  // They only answer pings. Without bounds after authorization 20,000 of them kept all others out.
  "14 idle sockets of guests from four addresses": ({ url, users }, count) => {
    const address = `${url.replace("http", "ws")}/v1/graphql`;
    const post = posting(url, 4);
    const newGuest = async () =>
      (JSON.parse((await post("/api/v1/auth/session/guest", {})).text) as { data: Tokens }).data.access_token;
    const open = async (token: string, client: string) => {
      const socket = new WebSocket(address, "graphql-transport-ws", { headers: from(client) });
      socket.on("error", () => undefined);
      socket.once("open", () => socket.send(connectionInit(token)));
      const closed = once(socket, "close").then(([code]) => `closed with ${String(code)}`);
      const outcome = await Promise.race([closed, once(socket, "message").then(() => "connected")]);
      return { socket, closed, outcome };
    };
    // A session may have ten sockets. At this rate four addresses had 20,000 sockets after a minute.
    lanes(4, async (lane) => {
      const token = await newGuest();
      for (let socket = 0; socket < 10; socket++) {
        const { closed, outcome } = await open(token, `203.0.113.${lane}`);
        count(`a guest of the attacker: ${outcome}`);
        if (outcome === "connected") void closed.then((code) => count(`and later ${code}`));
      }
    });
    for (const [who, tokenOf] of [
      ["another guest", newGuest],
      ["a user", () => Promise.resolve(String(users[0]))],
    ] as const)
      void each(200, 1, async (turn) => {
        const { socket, outcome } = await open(await tokenOf(), `198.51.100.${turn % 250}`);
        count(`${who}: ${outcome}`);
        socket.close();
      });
  },
};
