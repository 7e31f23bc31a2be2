import { document } from "../graphql_access.ts";

/** A value of a setting: a scalar, or a record of its own. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export type JsonRecord = Record<string, Json>;

export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface Setting {
  key: string;
  kind: string;
  value: Json;
  default_value: Json;
  minimum: string | number | null;
  maximum: string | number | null;
  description: string;
  updated_at: string | null;
}

const setting = "key kind value default_value minimum maximum description updated_at";

export const settingsQuery = document<{ settings_setting: Setting[] }>(
  `query { settings_setting(order_by: [{ key: asc }], limit: 200) { ${setting} } }`,
);

export const settingsByKey = document<{ settings_setting: Setting[] }, { keys: string[] }>(
  `query ($keys: [String!]!) {
    settings_setting(where: { key: { _in: $keys } }, order_by: [{ key: asc }], limit: 50) { ${setting} }
  }`,
);

/** The table validates the value and refuses it with a sentence. */
export const writeSetting = document<
  { insert_settings_configuration_one: { key: string } | null },
  { key: string; value: Json }
>(
  `mutation ($key: String!, $value: jsonb!) {
    insert_settings_configuration_one(
      object: { key: $key, value: $value }
      on_conflict: { constraint: configuration_pkey, update_columns: [value] }
    ) { key }
  }`,
);

export const resetSetting = document<{ delete_settings_configuration_by_pk: { key: string } | null }, { key: string }>(
  `mutation ($key: String!) { delete_settings_configuration_by_pk(key: $key) { key } }`,
);

export interface SecondFactorPreview {
  /** How many accounts were looked at, the latest ones if they are not all. */
  accounts: number;
  affected: number;
  live_sessions: number;
  is_complete: boolean;
}

/** Whom a value of SECOND_FACTOR concerns. */
export const previewSecondFactor = document<{ preview_second_factor: SecondFactorPreview[] }, { value: string }>(
  `query ($value: String!) {
    preview_second_factor(value: $value) { accounts affected live_sessions is_complete }
  }`,
);
