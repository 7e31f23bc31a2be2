import { bearer, tokensOf, type Tokens } from "../service/rest_client.ts";
import { test as baseTest } from "../fixtures.ts";
import type { ServiceOptions } from "../service/service.ts";
import { adminOf, askGraphql, graphqlSocketUrl } from "./graphql_client.ts";

type Options = Omit<ServiceOptions, "database">;

/**
 * The shared fixtures, and callers of GraphQL: `admin`, and `guest` with the session `guestTokens`. No worker runs, so
 * a file that needs SMS, as `signUp` does, has `serviceOptions` of its own.
 */
export const test = baseTest
  .extend("serviceOptions", { scope: "file" }, (): Options => ({ worker: false }))
  /** Creates a function that sends queries with these tokens. */
  .extend(
    "askAs",
    { scope: "file" },
    ({ service }) =>
      ({ access_token }: Tokens) =>
        askGraphql(service.url, bearer(access_token)),
  )
  .extend("admin", { scope: "file" }, ({ service, database }) => askGraphql(service.url, adminOf(database)))
  /** Opens a guest's session. */
  .extend(
    "newGuest",
    { scope: "file" },
    ({ client }) =>
      async () =>
        tokensOf(await client.post("/auth/session/guest")),
  )
  .extend("guestTokens", { scope: "file" }, ({ newGuest }) => newGuest())
  .extend("guest", { scope: "file" }, ({ askAs, guestTokens }) => askAs(guestTokens))
  .extend("socketUrl", { scope: "file" }, ({ service }) => graphqlSocketUrl(service.url));
