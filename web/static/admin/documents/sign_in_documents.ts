import { document } from "../graphql_access.ts";

/** The cheapest thing that only the admin may read. */
export const signInQuery = document<{ settings_setting: { key: string }[] }>(
  `query { settings_setting(limit: 1) { key } }`,
);
