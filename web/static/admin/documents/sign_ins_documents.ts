import { document } from "../graphql_access.ts";

export interface SignInsInHour {
  hour: string;
  /** How the users of these sessions signed in (RFC 8176). */
  amr: string[];
  sign_ins: number;
}

export const signInsByHour = document<{ sign_ins_by_hour: SignInsInHour[] }, { from: string; to: string }>(
  `query ($from: timestamptz!, $to: timestamptz!) {
    sign_ins_by_hour(from_at: $from, to_at: $to) { hour amr sign_ins }
  }`,
);
