import converter from "openapi-to-postmanv2";
import { openApiDocument } from "../server/rest/openapi/document.ts";
import type { Json, JsonObject } from "../server/rest/openapi/schemas.ts";

/** Runs after each answer, and stores the values that the next requests use. */
const keepAnswer = [
  "const { data } = pm.response.json();",
  'if (data?.access_token) pm.collectionVariables.set("accessToken", data.access_token);',
  'if (data?.refresh_token) pm.collectionVariables.set("refreshToken", data.refresh_token);',
  'if (data?.session_id) pm.collectionVariables.set("sessionId", data.session_id);',
  'if (data?.userId) pm.collectionVariables.set("userId", data.userId);',
];

/** Fields of bodies and paths that are variables of the collection. */
const variables: Record<string, string> = {
  phone: "{{phone}}",
  identifier: "{{phone}}",
  otp: "{{otp}}",
  userId: "{{userId}}",
  refresh_token: "{{refreshToken}}",
  session_id: "{{sessionId}}",
};

/** Optional tokens are left out: an old one would be refused. */
function withoutOptions(document: JsonObject): JsonObject {
  const paths = Object.entries(document.paths as Record<string, Record<string, JsonObject>>).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const security = operation.security as JsonObject[];
        const isOptional = security.some((choice) => Object.keys(choice).length === 0);
        return [method, { ...operation, security: isOptional ? [] : security }];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as JsonObject };
}

/** The routes as a Postman collection, which Bruno and Insomnia read too. convert() changes what it is given, hence the copy. */
export async function postmanCollection(): Promise<JsonObject> {
  const collection = await convert(structuredClone(withoutOptions(openApiDocument())));
  return {
    info: tidy(collection.info ?? {}),
    item: tidy(collection.item ?? []),
    event: [{ listen: "test", script: { type: "text/javascript", exec: keepAnswer } }],
    variable: [
      { key: "baseUrl", value: "http://localhost:3000" },
      { key: "phone", value: "+12125550123" },
      ...["otp", "accessToken", "refreshToken", "sessionId", "userId", "apiKey"].map((key) => ({
        key,
        value: "",
      })),
    ],
  };
}

const convert = (document: JsonObject): Promise<JsonObject> =>
  new Promise((resolve, reject) => {
    converter.convert(
      { type: "json", data: document },
      { folderStrategy: "Tags", requestParametersResolution: "Example", requestNameSource: "Fallback" },
      (error, converted) => {
        const collection = converted?.output?.[0]?.data as JsonObject | undefined;
        if (collection) resolve(collection);
        else reject(error instanceof Error ? error : new Error(converted?.reason ?? "not converted"));
      },
    );
  });

/**
 * Without ids, which are new at each conversion, and without recorded answers, which the API reference shows better.
 */
function tidy(value: Json): Json {
  if (Array.isArray(value)) return value.map(tidy);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => !["id", "_postman_id", "response"].includes(name));
  const tidied = Object.fromEntries(kept.map(([name, inner]) => [name, tidy(inner)]));
  if (typeof tidied.raw === "string")
    tidied.raw = JSON.stringify(withVariables(JSON.parse(tidied.raw) as Json), null, 2);
  if (typeof tidied.key === "string" && tidied.key in variables) tidied.value = variables[tidied.key] ?? "";
  if (isBearer(tidied.auth ?? null)) {
    const sendsRefreshToken = JSON.stringify(tidied.body ?? "").includes("{{refreshToken}}");
    tidied.auth = bearer(sendsRefreshToken ? "refreshToken" : "accessToken");
  }
  return tidied;
}

function withVariables(value: Json): Json {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      inner === null ? null : (variables[name] ?? withVariables(inner)),
    ]),
  );
}

const isBearer = (auth: Json): boolean => (auth as { type?: string } | null)?.type === "bearer";

const bearer = (variable: string): JsonObject => ({
  type: "bearer",
  bearer: [{ type: "string", key: "token", value: `{{${variable}}}` }],
});
