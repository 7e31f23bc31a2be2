import { graphqlConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { openPool } from "../../runtime/database/pool.ts";
import { test as baseTest } from "../fixtures.ts";

/** Connections of GraphQL's login role: `pool` for the whole file, `onlyConnection` for one test. */
export const test = baseTest
  .extend("connectionOptions", { scope: "file" }, ({ database }) => ({
    connectionString: graphqlConfig(database.env).GRAPHQL_DATABASE_URL,
    application_name: "graphql test",
  }))
  .extend("pool", { scope: "file" }, ({ connectionOptions }, { onCleanup }) => {
    const pool = openPool({ ...connectionOptions, max: 2, pipeline: true }, createLog("test", "silent"));
    onCleanup(() => pool.end());
    return pool;
  })
  /** A pool of one connection: each request sees what the previous one left on it. */
  .extend("onlyConnection", ({ connectionOptions }, { onCleanup }) => {
    const pool = openPool({ ...connectionOptions, max: 1, pipeline: true }, createLog("test", "silent"));
    onCleanup(() => pool.end());
    return pool;
  });
