import { livePath, readyPath } from "../../http/paths.ts";
import { closed, errorResponses, everyHeader } from "./error_responses.ts";
import { json, text } from "./json_response.ts";
import type { JsonObject } from "./schemas.ts";

const publicKey = {
  ...{ kty: "EC", crv: "P-256", kid: "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f", use: "sig", alg: "ES256" },
  ...{ x: "HEH0VnKO7ZKCQIoHnZkdJ45ApMQzqwyfhYzOlR6b_kw", y: "Sn4WjSNAFPHgMmGJSXJqS_t-FDt5zzqueII5LgGRU4c" },
};

const healthBody = (status: string, message: string): JsonObject =>
  closed({
    data: closed({
      status: { type: "string", const: status },
      uptime: { type: "number", description: "Seconds since the process started.", examples: [3600.5] },
      environment: { ...text, examples: ["production"] },
      version: { ...text, examples: ["0.1.0"] },
    }),
    meta: closed({
      message: { type: "string", const: message },
      timestamp: { type: "string", format: "date-time" },
      duration: { type: "number" },
    }),
  });

const probe = (summary: string, failures: string): JsonObject => ({
  get: {
    operationId: summary === "Liveness" ? "live" : "ready",
    tags: ["operation"],
    summary,
    security: [],
    responses: {
      200: json("All is well.", closed({ status: { type: "string", const: "ok" } })),
      503: json(
        failures,
        closed({
          status: { type: "string", const: "unready" },
          failed: { type: "array", items: { ...text, examples: ["worker"] } },
        }),
      ),
      ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
    },
  },
});

const cachedHeaders: JsonObject = {
  ...everyHeader,
  ETag: { $ref: "#/components/headers/ETag" },
  Vary: { $ref: "#/components/headers/Vary" },
};

/** Health, probes, keys and this document. */
export const operationPaths: JsonObject = {
  "/api/v1/health": {
    get: {
      operationId: "check_health",
      tags: ["operation"],
      summary: "Health",
      security: [],
      responses: {
        200: json("The database answers.", healthBody("ok", "Healthy.")),
        503: json(
          "The database does not answer within a second.",
          healthBody("degraded", "The database does not answer."),
        ),
        ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
      },
    },
  },
  [livePath]: probe("Liveness", "Never sent: a process that does not answer is not alive."),
  [readyPath]: probe(
    "Readiness",
    "What is not ready: database, listener, provider, schema, stopping, worker.",
  ),
  "/api/v1/openapi.json": {
    get: {
      operationId: "openapi",
      tags: ["operation"],
      summary: "This document",
      security: [],
      parameters: [{ $ref: "#/components/parameters/If-None-Match" }],
      responses: {
        200: {
          ...json("OpenAPI 3.1.", { type: "object", examples: [{ openapi: "3.1.1" }] }),
          headers: {
            ...cachedHeaders,
            "Content-Encoding": { $ref: "#/components/headers/Content-Encoding" },
          },
        },
        304: {
          description: "The client's copy, named in If-None-Match, is current.",
          headers: cachedHeaders,
        },
        ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
      },
    },
  },
  "/.well-known/jwks.json": {
    get: {
      operationId: "jwks",
      tags: ["operation"],
      summary: "The public keys that verify our tokens (RFC 7517)",
      security: [],
      responses: {
        200: json(
          "The key set.",
          closed({ keys: { type: "array", items: { type: "object", examples: [publicKey] } } }),
        ),
        ...errorResponses([{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }]),
      },
    },
  },
};
