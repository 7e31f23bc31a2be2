import { components } from "../server/rest/openapi/components.ts";
import { openApiDocument } from "../server/rest/openapi/document.ts";
import type { Json, JsonObject } from "../server/rest/openapi/schemas.ts";
import { optionalFields } from "./optional_fields.ts";

const introduction = `# REST API

Made by \`npm run docs:rest\` from the OpenAPI document, which a running server has at \`GET /api/v1/openapi.json\`. Generate a
client from that; read this page to know what the routes are for. The server's page \`/docs\` shows the same document.
[accounts.md](accounts.md) signs up and in with curl, step by step, and [errors.md](errors.md) explains every error code.

## What to know first

- A success has \`data\` and \`meta\`, some only \`meta\`; an error has \`error\` and \`meta\`. Times are ISO 8601 in UTC.
- **Tokens.** The access token goes into \`Authorization: Bearer …\` of protected routes and of GraphQL. The refresh token is good for
  \`POST /api/v1/auth/session/refresh\` alone, where it goes into the header and the body.
- **What a session answer holds.** Guest creation and refresh: \`session_id\`, both tokens, \`expires_at\` (when the access token ends)
  and \`user_type\`. Login: \`session_id\`, both tokens and \`role\`. Verifying a registration: \`insert_user_session_one\` with \`id\` (the
  session's), both tokens and when each ends.
- **\`userId\`** names one registration, not an account that exists: \`POST /api/v1/auth/register\` makes a new one each time, also for a
  phone that is registered already. Give it back at \`POST /api/v1/auth/register/verify\` to confirm exactly the registration that you
  sent. It becomes the account's id when the phone is verified. Nobody can do anything with it but that.
- **EMAIL codes** are always made, hashed and stored. They are sent, by SMTP, only while the setting EMAIL_DELIVERY is on.
- A body is JSON of 16 KiB at most. Unknown fields are ignored. Examples show every field, also those that may be left out.
- An unknown path is answered 404, and a method that a path does not take 405, with the methods that it takes in the header \`Allow\`.
- \`X-Request-Id\` of a request is echoed, or made: quote it when you report a fault.
`;

type Operations = Record<string, Record<string, JsonObject>>;

/** docs/rest.md, from the OpenAPI document. */
export function restDocs(): string {
  const { paths, tags } = openApiDocument() as unknown as {
    paths: Operations;
    tags: { name: string; description: string }[];
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => (operation.tags as string[]).includes(name));
    return [`## ${description}`, ...own.map((each) => sectionOf(each))].join("\n\n");
  });
  return `${[introduction, ...sections].join("\n")}\n`;
}

function sectionOf({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: JsonObject;
}): string {
  const { summary, description, security, parameters, requestBody, responses } = operation as unknown as {
    summary: string;
    description: string;
    security: JsonObject[];
    parameters: (Parameter | { $ref: string })[];
    requestBody?: Body;
    responses: Record<string, (Body & { description: string }) | { $ref: string }>;
  };
  // What every path has is said at the top of the page.
  const own = Object.entries(responses).flatMap(([status, response]) =>
    "$ref" in response ? [] : [[status, response] as const],
  );
  const failures = own.filter(([status]) => !status.startsWith("2"));
  const [success] = own.filter(([status]) => status.startsWith("2"));
  const request = requestBody && exampleIn(requestBody);
  const response = success && exampleIn(success[1]);
  return [
    `### ${method} ${path}`,
    `${summary}. ${description}`,
    `Authorization: ${isSigned(request) ? "the field `sig`" : authorizationOf(security)}.`,
    ...parameters.flatMap((parameter) => ("$ref" in parameter ? [] : [parameterLine(parameter)])),
    ...(requestBody && request !== undefined
      ? ["Request:", jsonBlock(request), ...listOf("Optional", requestBody)]
      : []),
    ...(success && response !== undefined
      ? [`Answer ${success[0]}:`, jsonBlock(response), ...listOf("Only in some answers", success[1])]
      : []),
    [
      "| status | meaning |",
      "| --- | --- |",
      ...failures.map(([status, { description: text }]) => `| ${status} | ${text} |`),
    ].join("\n"),
  ].join("\n\n");
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
}

const parameterLine = ({ name, in: place, required, description }: Parameter): string =>
  `Parameter \`${name}\` (${place}${required ? "" : ", optional"}): ${description}`;

interface Body {
  content: Record<string, { schema: JsonObject; example?: Json }>;
}

const exampleIn = ({ content }: Body): Json | undefined => Object.values(content)[0]?.example;

/** A line with the fields of a body that may be missing; none if there is no such field. */
function listOf(title: string, { content }: Body): string[] {
  const [body] = Object.values(content);
  const fields = body ? optionalFields(body.schema) : [];
  return fields.length > 0 ? [`${title}: ${fields.map((field) => `\`${field}\``).join(", ")}.`] : [];
}

/** A signature that is a field of the body has no security scheme in OpenAPI. */
const isSigned = (body: Json | undefined): boolean =>
  typeof body === "object" && body !== null && "sig" in body;

const jsonBlock = (value: Json): string => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;

const schemes = components.securitySchemes as Record<string, { name?: string } | undefined>;

/** What to send for a security scheme. */
function credentialOf(scheme: string): string {
  if (scheme === "accessToken") return "an access token";
  if (scheme === "refreshToken") return "a refresh token";
  return `the header \`${schemes[scheme]?.name ?? scheme}\`${scheme === "webhookSecret" ? " (where AUTH_WEBHOOK_SECRET is set)" : ""}`;
}

function authorizationOf(security: JsonObject[]): string {
  const required = security.map((requirement) => Object.keys(requirement));
  if (required.some(([scheme]) => scheme === "accessToken") && required.some((names) => names.length === 0))
    return "none, or a guest's access token";
  // The webhook's secret is optional: only the requirement with the secret is shown.
  const complete = required.filter(
    (names) =>
      !required.some((other) => other.length > names.length && names.every((name) => other.includes(name))),
  );
  const alternatives = complete.map((names) => names.map(credentialOf).join(" and "));
  return alternatives.filter(Boolean).join(", or ") || "none";
}
