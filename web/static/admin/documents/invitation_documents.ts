import { document } from "../graphql_access.ts";

export interface Invitation {
  phone: string;
  email: string | null;
  valid_until: string;
}

const invitation = "phone email valid_until";

export const invitationQuery = document<{ user_invitation_by_pk: Invitation | null }, { phone: string }>(
  `query ($phone: String!) { user_invitation_by_pk(phone: $phone) { ${invitation} } }`,
);

export const invite = document<
  { invite: Invitation | null },
  { phone: string; email: string | null; until: string | null; send: boolean }
>(
  `mutation ($phone: String!, $email: String, $until: timestamptz, $send: Boolean!) {
    invite(phone: $phone, email: $email, valid_until: $until, send: $send) { ${invitation} }
  }`,
);

export const withdrawInvitation = document<
  { delete_user_invitation_by_pk: { phone: string } | null },
  { phone: string }
>(`mutation ($phone: String!) { delete_user_invitation_by_pk(phone: $phone) { phone } }`);
