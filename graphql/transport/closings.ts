/**
 * Close code and reason of a socket that the server closes; graphql-ws has its own for violations of the protocol.
 * docs/graphql.md lists all.
 */
export const closings = {
  /** Its session was revoked, or its token expired. */
  unauthorized: [4401, "Revoked or expired"],
  tooManySockets: [4403, "Too many sockets of this session"],
  /** RFC 6455's registry: 1013. */
  unavailable: [1013, "Try again later"],
  /** Its address holds too many sockets, or most of a server that is full. */
  crowded: [1013, "Too many sockets: try again later"],
} as const satisfies Record<string, [code: number, reason: string]>;

/**
 * Close code of a socket whose credentials are refused; the reason is the error's message, which takes 123 bytes at
 * most.
 */
export const refused = 4403;
