import type { IncomingMessage } from "node:http";
import type { ResourceServer } from "../../config/resource_servers.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { authorizationsOf } from "../http/bearer.ts";

/**
 * The name of the resource server that sent a request, by HTTP Basic (RFC 7617).
 * @returns undefined unless the request has one Authorization header, with the name and the secret of a known one
 */
export function authenticateResourceServer(
  request: IncomingMessage,
  servers: readonly ResourceServer[],
): string | undefined {
  const [header = "", ...more] = authorizationsOf(request);
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined || more.length > 0) return undefined;
  const credentials = Buffer.from(encoded, "base64").toString();
  // OAuth's clients encode both parts (RFC 6749 section 2.3.1), curl's -u and most others do not.
  const accepted = new Set([credentials, decoded(credentials)]);
  const isOf = ({ name, secret }: ResourceServer) =>
    [...accepted].some((text) => text.startsWith(`${name}:`) && sameSecret(text, `${name}:${secret}`));
  return servers.find(isOf)?.name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
