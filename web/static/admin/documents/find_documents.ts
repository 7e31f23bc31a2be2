import { document } from "../graphql_access.ts";

export interface AccountRow {
  id: string;
  phone: string | null;
  email: string | null;
  created_at: string;
  disabled_at: string | null;
  deletion_due_at: string | null;
}

const row = "id phone email created_at disabled_at deletion_due_at";

/**
 * Ids are ordered by time: a page begins where the last one ended, by the primary key, so every page costs the same.
 */
export const newestAccounts = document<{ user_account: AccountRow[] }, { before: string; limit: number }>(
  `query ($before: uuid!, $limit: Int!) {
    user_account(where: { id: { _lt: $before } }, order_by: [{ id: desc }], limit: $limit) { ${row} }
  }`,
);

export const accountByPhone = document<{ find_account: AccountRow[] }, { phone: string }>(
  `query ($phone: String!) { find_account(phone: $phone) { ${row} } }`,
);

export const accountsByEmail = document<{ user_account: AccountRow[] }, { email: string }>(
  `query ($email: String!) { user_account(where: { email: { _eq: $email } }, order_by: [{ id: desc }], limit: 25) { ${row} } }`,
);

/** The database says also why nothing is stored of a request. */
export const refusalQuery = document<
  { explain_refusal: { at: string; what: string; details: string | null }[] },
  { id: string }
>(`query ($id: String!) { explain_refusal(request_id: $id) { at what details } }`);

export const anythingById = document<
  {
    user_account_by_pk: { id: string } | null;
    user_session_by_pk: { id: string; user_id: string | null } | null;
    platform_otp_transaction_by_pk: { identifier: string } | null;
    platform_guest_promotion_by_pk: { user_id: string } | null;
  },
  { id: string }
>(
  `query ($id: uuid!) {
    user_account_by_pk(id: $id) { id }
    user_session_by_pk(id: $id) { id user_id }
    platform_otp_transaction_by_pk(id: $id) { identifier }
    platform_guest_promotion_by_pk(guest_session_id: $id) { user_id }
  }`,
);
