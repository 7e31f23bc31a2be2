import { document } from "../graphql_access.ts";
import type { Json } from "./setting_documents.ts";

export interface SentInHour {
  hour: string;
  country: string | null;
  sent: number;
  verified: number;
}

export const sentByHour = document<{ sent_by_hour: SentInHour[] }, { from: string; to: string }>(
  `query ($from: timestamptz!, $to: timestamptz!) {
    sent_by_hour(from_at: $from, to_at: $to) { hour country sent verified }
  }`,
);

export interface VendorHour {
  provider: string;
  channel: string;
  attempts: number;
  sent: number;
  refused: number;
  declined: number;
  unreachable: number;
  uncertain: number;
  delivered: number;
  undelivered: number;
  verified: number;
}

export const vendorsByHour = document<{ platform_delivery_by_hour: VendorHour[] }, { from: string }>(
  `query ($from: timestamptz!) {
    platform_delivery_by_hour(where: { hour: { _gte: $from } }, order_by: [{ attempts: desc }], limit: 1000) {
      provider channel attempts sent refused declined unreachable uncertain delivered undelivered verified
    }
  }`,
);

export interface Replayed {
  rule: string | null;
  decisions: number;
  unknown: number;
  refused_then: number;
  refused_now: number;
  saved_messages: number;
  saved: string;
  hurt: number;
}

const replayed = `rule decisions unknown refused_then refused_now saved_messages saved hurt`;

/** The same decisions under the settings in force and under others. */
export const whatIf = document<{ now: Replayed[]; then: Replayed[] }, { settings: Json; from: string; to: string }>(
  `query ($settings: jsonb!, $from: timestamptz!, $to: timestamptz!) {
    now: what_if(settings: {}, from_at: $from, to_at: $to) { ${replayed} }
    then: what_if(settings: $settings, from_at: $from, to_at: $to) { ${replayed} }
  }`,
);
