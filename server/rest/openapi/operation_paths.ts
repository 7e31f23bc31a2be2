import { livePath, readyDeliveryPath, readyPath } from "../../../http/paths.ts";
import { errorResponses, everyHeader, successMeta } from "./error_responses.ts";
import { json, text } from "./json_response.ts";
import { keySet } from "./key_set.ts";
import { closed, type JsonObject } from "./schemas.ts";

const healthBody = (status: string, message: string): JsonObject => {
  const data = {
    status: { type: "string", enum: [status], description: "Whether the database answers." },
    uptime: { type: "number", description: "Seconds since the process started.", examples: [3600.5] },
    environment: { ...text, description: "NODE_ENV.", examples: ["production"] },
    version: { ...text, description: "Latchkey's version.", examples: ["0.1.0"] },
  };
  return closed({
    data: closed(data, { title: "Health", description: "The state of this process." }),
    meta: successMeta(message),
  });
};

const statusOf = (value: string): JsonObject => ({
  status: { type: "string", const: value, description: "ok or unready." },
});

const probe = (operationId: string, summary: string, description: string, failures?: JsonObject): JsonObject => ({
  get: {
    operationId,
    tags: ["operation"],
    summary,
    description,
    security: [],
    responses: {
      200: json("All is well.", closed(statusOf("ok"), { title: "ProbeSuccess" })),
      ...failures,
      ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
    },
  },
});

const unready = (description: string, example: string, names: string): JsonObject => ({
  503: json(
    description,
    closed(
      {
        ...statusOf("unready"),
        failed: {
          type: "array",
          items: { ...text, examples: [example] },
          description: `Which of ${names}.`,
        },
      },
      { title: "ProbeFailure" },
    ),
  ),
});

const cachedHeaders: JsonObject = {
  ...everyHeader,
  ETag: { $ref: "#/components/headers/ETag" },
  Vary: { $ref: "#/components/headers/Vary" },
};

/** The responses to a request for content that is the same for everybody (http/asset.ts). */
const cachedResponses = (response: JsonObject): JsonObject => ({
  200: {
    ...response,
    headers: { ...cachedHeaders, "Content-Encoding": { $ref: "#/components/headers/Content-Encoding" } },
  },
  304: { description: "The client's copy, named in If-None-Match, is current.", headers: cachedHeaders },
});

const conditional = "The header `If-None-Match` with the ETag of the client's copy gets 304 while it is current.";

/** Health, probes, keys and this document. */
export const operationPaths: JsonObject = {
  "/api/v1/health": {
    get: {
      operationId: "check_health",
      tags: ["operation"],
      summary: "Health",
      description:
        "For load balancers and people: whether the database answers within a second. Orchestrators use /live and /ready.",
      security: [],
      responses: {
        200: json("The database answers.", healthBody("ok", "Healthy.")),
        503: json(
          "The database does not answer within a second.",
          healthBody("degraded", "The database does not answer."),
          503,
        ),
        ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
      },
    },
  },
  [livePath]: probe(
    "live",
    "Liveness",
    "200 while the process answers; it checks nothing else, because a restart would fix nothing else.",
  ),
  [readyPath]: probe(
    "ready",
    "Readiness",
    "For load balancers: whether this process can serve. 503 also while it stops. docs/operations.md says what to do about each name in failed.",
    unready("This process cannot serve.", "listener", "database, listener, restored, schema, signing_key, stopping"),
  ),
  [readyDeliveryPath]: probe(
    "ready_delivery",
    "Readiness of delivery",
    "For alarms: whether messages are sent. Everything else works meanwhile, so no load balancer should ask it.",
    unready("No message is sent.", "worker", "database, email, provider, restored, schema, worker"),
  ),
  "/api/v1/openapi.json": {
    get: {
      operationId: "openapi",
      tags: ["operation"],
      summary: "This document",
      description: `The same for everybody, and compressed for those who accept gzip. ${conditional}`,
      security: [],
      responses: {
        ...cachedResponses(json("OpenAPI 3.1.", { type: "object", examples: [{ openapi: "3.1.1" }] })),
        ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
      },
    },
  },
  "/v1/graphql/schema.graphql": {
    get: {
      operationId: "graphql_schema",
      tags: ["data"],
      summary: "The GraphQL schema of guests and users",
      description: `In GraphQL's schema definition language, for tools that generate types. 404 unless GRAPHQL_INTROSPECTION is on; the package @latchkey/client has the same file. ${conditional}`,
      security: [],
      responses: {
        ...cachedResponses({
          description: "The schema.",
          content: { "text/plain": { schema: text, example: "type query_root {\n  …\n}\n" } },
        }),
        ...errorResponses([
          { code: "INVALID_REQUEST" },
          { code: "INVALID_REQUEST", reason: "not_found" },
          { code: "INTERNAL_ERROR" },
        ]),
      },
    },
  },
  "/.well-known/jwks.json": {
    get: {
      operationId: "jwks",
      tags: ["operation"],
      summary: "The public keys that verify our tokens (RFC 7517)",
      description:
        "For services that verify access tokens themselves. kid of a token's header names its key. Keep the set for five minutes at most: a new key is in it before it signs.",
      security: [],
      responses: {
        200: json("The key set.", keySet),
        ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
      },
    },
  },
};
