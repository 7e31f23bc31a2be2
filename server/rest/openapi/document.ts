import packageJson from "../../../package.json" with { type: "json" };
import { acceptableRequestId } from "../../../runtime/request_ids.ts";
import type { Route } from "../route.ts";
import { routesByPath } from "../routes.ts";
import { commonHeaders } from "./common_headers.ts";
import { components } from "./components.ts";
import { graphqlPaths } from "./graphql_paths.ts";
import { oauthPaths } from "./oauth_paths.ts";
import { operationPaths } from "./operation_paths.ts";
import { publishedDocument } from "./published.ts";
import { operationOf } from "./route_operation.ts";
import { mapValues, type JsonObject } from "./schemas.ts";
import { webhookPaths } from "./webhook_paths.ts";

/**
 * The OpenAPI 3.1 document of GET /api/v1/openapi.json: the table of routes, and the paths outside of it, described by
 * hand.
 * @param exact whether schemas are those of each operation alone, so that a test sees every difference. The published document names and
 * merges them, and lets responses grow.
 */
export function openApiDocument({ exact = false } = {}): JsonObject {
  const document = exactDocument();
  return exact ? document : publishedDocument(document);
}

function exactDocument(): JsonObject {
  return {
    openapi: "3.1.1",
    info: {
      title: "Latchkey",
      version: packageJson.version,
      summary: "Phone sign-in that lives in PostgreSQL",
      description:
        "Go by `error.code`, and where it matters by `error.details.reason`; `message` is for people and may change. " +
        "An unknown path answers 404, another method 405, both as INVALID_REQUEST in the same shape. " +
        "So do a request that is not valid HTTP with 400, one whose headers are too large (16 KiB) with 431, and one whose headers do " +
        "not arrive within 10 seconds or whose body does not within 20, with 408. A path that takes GET takes HEAD. " +
        "Unknown fields of a body are ignored; responses may gain fields, and a newer version may send other codes and reasons. " +
        `A request may have an id for the logs, which the response repeats, in the header \`X-Request-Id\`; one that does not match ${acceptableRequestId.source} is replaced. ` +
        `Besides the headers of its operation, a response may have: ${commonHeaders.join(", ")}.`,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: "/" }],
    tags,
    paths: withCommonParts({
      ...Object.fromEntries([...routesByPath].map(([path, own]) => [`/api/v1${path}`, operationsOf(own)])),
      ...operationPaths,
      ...oauthPaths,
      ...webhookPaths,
      ...graphqlPaths,
    }),
    components,
  };
}

/** OpenAPI has no place for the methods that a path does not take, so each operation has their 405. */
const withCommonParts = (paths: JsonObject): JsonObject =>
  mapValues(paths, (operations) =>
    mapValues(operations, ({ responses, ...operation }) => ({
      ...operation,
      responses: {
        405: { $ref: "#/components/responses/MethodNotAllowed" },
        ...(responses as JsonObject),
      },
    })),
  );

const tags = [
  { name: "auth", description: "Sessions, registration, login, password reset" },
  { name: "otp", description: "One-time passwords" },
  { name: "operation", description: "Health, keys, this document" },
  { name: "data", description: "GraphQL, and the webhook that authorizes it" },
];

const operationsOf = (own: Route[]): JsonObject =>
  Object.fromEntries(own.map((route) => [route.method.toLowerCase(), operationOf(route)]));
