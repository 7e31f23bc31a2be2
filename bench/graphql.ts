import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { serverConfig } from "../config/config.ts";
import { bearer, tokensOf } from "../testing/client.ts";
import { median, round } from "./figures.ts";
import { createLeanClient } from "./lean_client.ts";
import { startMeasured } from "./service.ts";
import { sideBySide, inWords, type Cost } from "./side_by_side.ts";

/**
 * npm run bench:graphql: what the webhook hop costs a query by primary key, beside the same query by the admin, who is known
 * without it, and beside a floor of Express, a webhook and a plain transaction (bare_server.ts); and how long a change takes
 * to a subscriber. The machine is noisy: read medians and ratios.
 */
const service = await startMeasured();
const { client, url, serverPid, postgresPid } = service;
const lean = createLeanClient(url, 8);

try {
  const session = tokensOf(await client.post("/auth/session/guest"));
  const query = `query ($id: uuid!) { user_session_by_pk(id: $id) { id user_id } }`;
  const variables = { id: session.session_id };
  const ask = (headers: Record<string, string>) => async () => {
    const { data } = (await lean.post("/v1/graphql", { query, variables }, headers)) as {
      data: { user_session_by_pk: { id: string } };
    };
    if (data.user_session_by_pk.id !== session.session_id) throw new Error("another session");
  };
  const withHop = ask(bearer(session.access_token));
  const without = ask({ "x-hasura-admin-secret": serverConfig(service.env).ADMIN_SECRET });

  const bare = createLeanClient(service.bare.url, 8);
  const bareToken = ((await bare.post("/guest")) as { data: { access_token: string } }).data.access_token;
  const contenders = [
    { name: "hop", serverPid, work: withHop },
    { name: "none", serverPid, work: without },
    { name: "bare", serverPid: service.bare.pid, work: () => bare.post("/query", {}, bearer(bareToken)) },
  ];
  const [hop, none, floor] = (await sideBySide(contenders, {
    ...{ postgresPid, width: 8, rounds: 7, perRound: 1_000 },
  })) as [Cost, Cost, Cost];
  await bare.close();
  console.log(
    `by primary key   ${round(hop.perSecond, 0)} / s with the hop, ${round(none.perSecond, 0)} / s without: ${round(hop.perSecond / none.perSecond)} ×`,
  );
  console.log(
    `                 ${inWords(hop)} with the hop, ${inWords(none)} without: ${round(hop.total / floor.total)} × the floor's ${inWords(floor)}`,
  );

  const sockets = createClient({
    url: `${url.replace("http", "ws")}/v1/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { headers: { "x-hasura-admin-secret": serverConfig(service.env).ADMIN_SECRET } },
  });
  let heard = () => undefined as unknown;
  const taken: number[] = [];
  let watched = tokensOf(await client.post("/auth/session/guest"));
  for (let event = 0; event < 50; event++) {
    const unsubscribe = sockets.subscribe(
      { query: `subscription { user_session_by_pk(id: "${watched.session_id}") { revoked_at } }` },
      { next: () => heard(), error: console.error, complete: () => undefined },
    );
    await new Promise((resolve) => (heard = () => resolve(undefined)));
    const told = new Promise((resolve) => (heard = () => resolve(undefined)));
    const started = performance.now();
    await client.post("/auth/logout", undefined, bearer(watched.access_token));
    await told;
    taken.push(performance.now() - started);
    unsubscribe();
    watched = tokensOf(await client.post("/auth/session/guest"));
  }
  await sockets.dispose();
  console.log(
    `subscription     ${round(median(taken))} ms from the logout's request to its subscriber, p50 of ${taken.length}`,
  );
} finally {
  await lean.close();
  await service.stop();
}
