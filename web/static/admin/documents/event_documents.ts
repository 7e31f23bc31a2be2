import { document } from "../graphql_access.ts";

export interface EventRow {
  id: string;
  type: string;
  at: string;
  user_id: string | null;
  session_id: string | null;
  actor: string;
  client: string | null;
  data: Record<string, unknown>;
}

type Comparison = Record<string, string>;
/** Conditions of a filter: those that are left out match everything. */
export interface EventFilter {
  id: Comparison;
  type?: Comparison;
  user_id?: Comparison;
}

/** By the primary key, whose ids are ordered by time: only the months of the filter are read. */
export const eventsQuery = document<{ platform_event: EventRow[] }, { where: EventFilter; limit: number }>(
  `query ($where: platform_event_bool_exp!, $limit: Int!) {
    platform_event(where: $where, order_by: [{ id: desc }], limit: $limit) {
      id type at user_id session_id actor client data
    }
  }`,
);

export interface Subscription {
  id: string;
  url: string;
  types: string[];
  secret_name: string;
  enabled: boolean;
}

export interface Backlog {
  subscription_id: string;
  waiting: number;
  waiting_since: string | null;
  failed: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  last_error: string | null;
  full_from: string | null;
  full_to: string | null;
}

export interface Subscriptions {
  settings_event_subscription: Subscription[];
  platform_event_backlog: Backlog[];
}

export const subscriptionsQuery = document<Subscriptions>(
  `query {
    settings_event_subscription(order_by: [{ id: asc }], limit: 16) { id url types secret_name enabled }
    platform_event_backlog {
      subscription_id waiting waiting_since failed last_success_at last_failure_at last_error full_from full_to
    }
  }`,
);

export const addSubscription = document<
  { insert_settings_event_subscription_one: { id: string } | null },
  Omit<Subscription, "enabled">
>(
  `mutation ($id: String!, $url: String!, $types: [String]!, $secret_name: String!) {
    insert_settings_event_subscription_one(object: { id: $id, url: $url, types: $types, secret_name: $secret_name }) { id }
  }`,
);

export const enableSubscription = document<
  { update_settings_event_subscription_by_pk: { id: string } | null },
  { id: string; enabled: boolean }
>(
  `mutation ($id: String!, $enabled: Boolean!) {
    update_settings_event_subscription_by_pk(pk_columns: { id: $id }, _set: { enabled: $enabled }) { id }
  }`,
);

export const deleteSubscription = document<
  { delete_settings_event_subscription_by_pk: { id: string } | null },
  { id: string }
>(`mutation ($id: String!) { delete_settings_event_subscription_by_pk(id: $id) { id } }`);

export const replayEvents = document<
  { replay_events: { queued: number }[] },
  { subscription: string; from: string; to: string }
>(
  `mutation ($subscription: String!, $from: timestamptz!, $to: timestamptz!) {
    replay_events(subscription: $subscription, from_at: $from, to_at: $to) { queued }
  }`,
);
