/** The parts of an OpenAPI operation that a sample needs. */
export interface Operation {
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, { example: object | string }> };
}

/** An OpenAPI security scheme. */
export interface SecurityScheme {
  type: string;
  name?: string;
}

/**
 * A curl command that calls an operation of a server. The reader's own values come from variables of the shell:
 * ACCESS_TOKEN, REFRESH_TOKEN, SESSION_ID and, for other keys, their header's name (X_ADMIN_SECRET).
 */
export function curlSample(
  url: string,
  method: string,
  operation: Operation,
  schemes: Record<string, SecurityScheme>,
): string {
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${url.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`,
    ...credentials(operation.security ?? [], schemes),
    ...(mediaType === undefined ? [] : [`-H 'content-type: ${mediaType}'`, `-d ${written(body?.example ?? {})}`]),
  ].join(" \\\n  ");
}

/** If the credentials are optional, a sample has none. */
function credentials(security: Record<string, string[]>[], schemes: Record<string, SecurityScheme>): string[] {
  if (security.some((choice) => Object.keys(choice).length === 0)) return [];
  return Object.keys(security[0] ?? {}).map((name) => {
    const scheme = schemes[name];
    if (scheme?.type === "apiKey" && scheme.name !== undefined)
      return `-H "${scheme.name}: $${scheme.name.toUpperCase().replaceAll("-", "_")}"`;
    return `-H "authorization: Bearer $${name === "refreshToken" ? "REFRESH_TOKEN" : "ACCESS_TOKEN"}"`;
  });
}

const isToken = (value: unknown): boolean => typeof value === "string" && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value);

/** Quotes JSON for a shell. A token is replaced by its variable, outside of the single quotes. */
function written(example: object | string): string {
  const json = JSON.stringify(example, (_, value: unknown) => (isToken(value) ? "$TOKEN" : value));
  return `'${json.replaceAll("'", "'\\''").replaceAll('"$TOKEN"', `"'"$REFRESH_TOKEN"'"`)}'`;
}
