import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { serverConfig } from "../config/config.ts";
import { bearer, tokensOf } from "../testing/rest_client.ts";
import { median, round } from "./figures.ts";
import { createLeanClient } from "./lean_client.ts";
import { startMeasuredService } from "./measured_service.ts";
import { compareCosts, formatCost, type Cost } from "./side_by_side.ts";

/**
 * npm run bench:graphql: the cost of the webhook request for a query by primary key, compared with the admin's query, which
 * needs no webhook, and with the baseline (bare_server.ts); and the delay until a subscriber receives a change. Compare medians
 * and ratios: the machine is noisy.
 */
const service = await startMeasuredService();
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
  const [hop, none, floor] = (await compareCosts(contenders, {
    ...{ postgresPid, width: 8, rounds: 7, perRound: 1_000 },
  })) as [Cost, Cost, Cost];
  await bare.close();
  console.log(
    `by primary key   ${round(hop.perSecond, 0)} / s with the hop, ${round(none.perSecond, 0)} / s without: ${round(hop.perSecond / none.perSecond)} ×`,
  );
  console.log(
    `                 ${formatCost(hop)} with the hop, ${formatCost(none)} without: ${round(hop.total / floor.total)} × the baseline's ${formatCost(floor)}`,
  );

  const sockets = createClient({
    url: `${url.replace("http", "ws")}/v1/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { headers: { "x-hasura-admin-secret": serverConfig(service.env).ADMIN_SECRET } },
  });
  let onEvent = () => undefined as unknown;
  const durations: number[] = [];
  let watched = tokensOf(await client.post("/auth/session/guest"));
  for (let event = 0; event < 50; event++) {
    const unsubscribe = sockets.subscribe(
      { query: `subscription { user_session_by_pk(id: "${watched.session_id}") { revoked_at } }` },
      { next: () => onEvent(), error: console.error, complete: () => undefined },
    );
    await new Promise((resolve) => (onEvent = () => resolve(undefined)));
    const notified = new Promise((resolve) => (onEvent = () => resolve(undefined)));
    const started = performance.now();
    await client.post("/auth/logout", undefined, bearer(watched.access_token));
    await notified;
    durations.push(performance.now() - started);
    unsubscribe();
    watched = tokensOf(await client.post("/auth/session/guest"));
  }
  await sockets.dispose();
  console.log(
    `subscription     ${round(median(durations))} ms from the logout's request to its subscriber, p50 of ${durations.length}`,
  );
} finally {
  await lean.close();
  await service.stop();
}
