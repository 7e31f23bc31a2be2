import { observeRequests } from "../http/http_metrics.ts";
import type { ObserveRequest } from "../http/request_log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { measurePools, type PoolState } from "../runtime/database/pool_metrics.ts";
import type { Change } from "./engine/execution/changes.ts";
import type { ObserveSockets } from "./transport/socket_protocol.ts";
import type { SocketCounts } from "./transport/sockets.ts";

interface GraphqlMetrics {
  observeRequest: ObserveRequest;
  observeSockets: ObserveSockets;
  observeChange: (change: Change) => void;
  /** Adds the gauges of what has been opened. */
  measure: (sources: { pools: () => PoolState[]; sockets: () => SocketCounts }) => void;
}

/** Registers the metrics of GraphQL's program. */
export function createGraphqlMetrics(metrics: Metrics): GraphqlMetrics {
  const operations = metrics.counter({
    name: "latchkey_socket_operations_total",
    help: "Operations over sockets, by type (none: refused before it was read) and the limit that refused it.",
    labels: ["type", "limit"],
  });
  const changes = metrics.counter({
    name: "latchkey_admin_changes_total",
    help: "Committed changes of an admin, by the mutation's root field, such as revoke_session.",
    labels: ["action"],
  });
  const observeChange = ({ action }: Change) => changes([action]);
  return {
    observeRequest: observeRequests(metrics),
    observeSockets: {
      operation: (type, limit = "none") => operations([type, limit]),
      change: observeChange,
    },
    observeChange,
    measure({ pools, sockets }) {
      measurePools(metrics, pools);
      metrics.gauge({ name: "latchkey_sockets", help: "Authorized sockets, by class.", labels: ["class"] }, () =>
        Object.entries(sockets().sockets).map(([name, count]) => [[name], count] as const),
      );
      metrics.gauge({ name: "latchkey_subscriptions", help: "Subscriptions that are open." }, () => [
        [[], sockets().subscriptions],
      ]);
    },
  };
}
