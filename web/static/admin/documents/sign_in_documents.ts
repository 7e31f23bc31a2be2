import { document } from "../graphql_access.ts";

/** The cheapest query that only the admin may send. */
export const signInQuery = document<{ settings_setting: { key: string }[] }>(
  `query { settings_setting(limit: 1) { key } }`,
);
