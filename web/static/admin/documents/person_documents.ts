import { document } from "../graphql_access.ts";
import type { AccountRow } from "./find_documents.ts";

export interface Account extends AccountRow {
  phone_verified_at: string;
  updated_at: string;
  disabled_reason: string | null;
  /** The last time that it was disabled and enabled again; all null if it never was. */
  was_disabled_at: string | null;
  was_disabled_reason: string | null;
  enabled_at: string | null;
}

const account = `id phone email created_at updated_at phone_verified_at disabled_at disabled_reason was_disabled_at was_disabled_reason enabled_at deletion_due_at`;

export const accountQuery = document<{ user_account_by_pk: Account | null }, { id: string }>(
  `query ($id: uuid!) { user_account_by_pk(id: $id) { ${account} } }`,
);

export interface Session {
  id: string;
  role: string;
  created_at: string;
  authenticated_at: string | null;
  refresh_token_expires_at: string;
  revoked_at: string | null;
  client: string | null;
  user_agent: string | null;
  label: string | null;
  amr: (string | null)[] | null;
}

const session = `id role created_at authenticated_at refresh_token_expires_at revoked_at client user_agent label amr`;

export const sessionsQuery = document<{ user_session: Session[] }, { user: string; before: string; limit: number }>(
  `query ($user: uuid!, $before: timestamptz!, $limit: Int!) {
    user_session(
      where: { user_id: { _eq: $user }, created_at: { _lt: $before } }
      order_by: [{ created_at: desc }]
      limit: $limit
    ) { ${session} }
  }`,
);

export const sessionQuery = document<{ user_session_by_pk: Session | null }, { id: string }>(
  `query ($id: uuid!) { user_session_by_pk(id: $id) { ${session} } }`,
);

export interface Factor {
  id: string;
  kind: "totp" | "passkey";
  label: string | null;
  created_at: string;
  /** Null until its first code. */
  confirmed_at: string | null;
  last_used_at: string | null;
  is_synced: boolean | null;
  /** When it was last refused because its sign counter went back: there may be a copy. */
  counter_went_back_at: string | null;
}

export interface FactorsOf {
  factors: Factor[];
  /** Wrong codes in a row. */
  factor_failures: number;
}

/** An account has at most ten. */
export const factorsQuery = document<{ user_account_by_pk: FactorsOf | null }, { user: string }>(
  `query ($user: uuid!) {
    user_account_by_pk(id: $user) {
      factor_failures
      factors(order_by: [{ id: desc }], limit: 20) {
        id kind label created_at confirmed_at last_used_at is_synced counter_went_back_at
      }
    }
  }`,
);

export const removeFactor = document<{ remove_factor: { id: string } | null }, { id: string }>(
  `mutation ($id: uuid!) { remove_factor(id: $id) { id } }`,
);

export const removeFactorsOf = document<{ remove_factors_of: { id: string }[] }, { user: string }>(
  `mutation ($user: uuid!) { remove_factors_of(user_id: $user) { id } }`,
);

export const unlockFactors = document<{ unlock_factors: { id: string } | null }, { user: string }>(
  `mutation ($user: uuid!) { unlock_factors(user_id: $user) { id } }`,
);

export interface DeliveryEvent {
  at: string;
  what: string;
  details: string | null;
  otp_id: string | null;
}

export const storyQuery = document<{ explain_delivery: DeliveryEvent[] }, { phone: string; since: string }>(
  `query ($phone: String!, $since: timestamptz!) {
    explain_delivery(phone: $phone, since: $since) { at what details otp_id }
  }`,
);

export interface LimitState {
  policy: string;
  client: string | null;
  counted: number;
  requests: number;
  period_seconds: number;
  blocked_until: string | null;
}

const limit = `policy client counted requests period_seconds blocked_until`;

/** Some limits count the phone, others the account's id. */
export const limitsQuery = document<
  { ofIdentifier: LimitState[]; ofAccount: LimitState[] },
  { identifier: string; account: string }
>(
  `query ($identifier: String!, $account: String!) {
    ofIdentifier: limits_of(subject: $identifier) { ${limit} }
    ofAccount: limits_of(subject: $account) { ${limit} }
  }`,
);

export const clearLimits = document<
  { ofIdentifier: { key: string }[]; ofAccount: { key: string }[] },
  { identifier: string; account: string }
>(
  `mutation ($identifier: String!, $account: String!) {
    ofIdentifier: clear_limits(subject: $identifier) { key }
    ofAccount: clear_limits(subject: $account) { key }
  }`,
);

export const revokeSession = document<
  { update_user_session_by_pk: { id: string } | null },
  { id: string; now: string }
>(
  `mutation ($id: uuid!, $now: timestamptz!) {
    update_user_session_by_pk(pk_columns: { id: $id }, _set: { revoked_at: $now }) { id }
  }`,
);

export const revokeAll = document<{ revoke_sessions_of: { id: string }[] }, { user: string }>(
  `mutation ($user: uuid!) { revoke_sessions_of(user_id: $user) { id } }`,
);

export const disableAccount = document<{ disable_account: { id: string } | null }, { id: string; reason: string }>(
  `mutation ($id: uuid!, $reason: String!) { disable_account(id: $id, reason: $reason) { id } }`,
);

export const enableAccount = document<{ enable_account: { id: string } | null }, { id: string }>(
  `mutation ($id: uuid!) { enable_account(id: $id) { id } }`,
);

export const eraseAccount = document<{ erase_account: { id: string } | null }, { id: string }>(
  `mutation ($id: uuid!) { erase_account(id: $id) { id } }`,
);
