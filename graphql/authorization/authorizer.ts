import type { IncomingHttpHeaders } from "node:http";
import type { Log } from "../../runtime/log.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";
import type { AdminSecret } from "../../config/admin_secrets.ts";
import { createSecretSearch } from "../../runtime/same_secret.ts";
import { Problem } from "../../http/problem.ts";
import type { Caller } from "./caller.ts";
import {
  adminHeaders,
  parseSessionVariables,
  parseSubject,
  requireOwn,
  RoleRefused,
  type Subject,
} from "./session_variables.ts";
import { createWebhookClient, type Identity } from "./webhook_client.ts";

/** The caller is refused (401). The cause is for tests and debuggers; no answer contains it. */
export class Unauthorized extends Problem {
  override name = "Unauthorized";
  constructor(cause: string, headers: IncomingHttpHeaders) {
    const reason = headers.authorization === undefined ? "token_missing" : "token_invalid";
    super("SESSION_NOT_FOUND", { reason });
    this.cause = cause;
  }
}

/** The webhook, or the database, gave no usable answer (503). The credentials may be valid, so clients keep them. */
export class AuthorizationUnavailable extends UnavailableError {
  override name = "AuthorizationUnavailable";
}

/** This client has sent too many wrong admin secrets (429). */
export class TooManyFailures extends Problem {
  override name = "TooManyFailures";
  constructor(details: Record<string, unknown>) {
    super("RATE_LIMIT_EXCEEDED", details);
    this.message = "Too many wrong admin secrets. Send the right one, or try again later.";
  }
}

export interface Authorizer {
  /**
   * @param headers names in lower case, as in node:http
   * @param address the client's address as limits count it: the queue for the webhook is fair to clients
   * @param request whose log names the request; none when a socket is authorized
   * @throws Unauthorized, RoleRefused, AuthorizationUnavailable, TooManyFailures
   */
  authorize: (headers: IncomingHttpHeaders, address: string, request?: { log: Log }) => Promise<Caller>;
  stop: () => Promise<void>;
}

interface LiveSession {
  role: string;
  user_id: string | null;
  /** JSON of what hook.claims returned. */
  claims: string | null;
  /** When the session ends unless it is refreshed. */
  refresh_token_expires_at: string | Date;
}

export interface AuthorizerOptions {
  webhookUrl: string;
  webhookSecret: string | undefined;
  adminSecrets: readonly AdminSecret[];
  database: {
    /** Looks a session up for the admin who acts as its holder; undefined if it is not live. */
    findSession: (sessionId: string) => Promise<LiveSession | undefined>;
    /** Counts a wrong admin secret. @returns the details of RATE_LIMIT_EXCEEDED if this client has sent too many */
    countAdminFailure: (client: string) => Promise<Record<string, unknown> | undefined>;
  };
  log: Log;
  timeoutMs?: number;
}

/**
 * Authorizes GraphQL requests: the admin by its secret, everybody else by calling the webhook with the request's
 * headers. The admin may act as a guest or user; a caller with a token may name only its own role and ids.
 */
export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { database } = options;
  const findAdmin = createSecretSearch(options.adminSecrets);
  const webhook = createWebhookClient(options.webhookUrl, options.webhookSecret, options.timeoutMs);

  const unlessUnavailable = <T>(answer: Promise<T>, log: Log): Promise<T> =>
    answer.catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) log.error({ err: error }, "the database could not authorize");
      throw new AuthorizationUnavailable("the database could not authorize", { cause: error });
    });

  /**
   * Logs a wrong admin secret and counts it. While the database does not answer it is refused all the same (503), and
   * the right one, for which nothing is counted, works.
   */
  const refuseSecret = async (headers: IncomingHttpHeaders, client: string, log: Log): Promise<never> => {
    log.warn({ client }, "a wrong admin secret");
    const details = await unlessUnavailable(database.countAdminFailure(client), log);
    if (details) throw new TooManyFailures(details);
    throw new Unauthorized("a wrong admin secret", headers);
  };

  /** @throws RoleRefused unless the session is live, has this role and belongs to this user */
  const actAs = async (subject: Subject, adminName: AdminName, log: Log): Promise<Caller> => {
    const session = await unlessUnavailable(database.findSession(subject.sessionId), log);
    const userId = subject.role === "user" ? subject.userId : null;
    if (session?.role !== subject.role || session.user_id !== userId)
      throw new RoleRefused(
        "X-Hasura-Session-Id must be a live session of this role, and of the user of X-Hasura-User-Id.",
      );
    const expires = new Date(session.refresh_token_expires_at);
    const caller = toCaller({ ...subject, userId: userId ?? undefined, claims: session.claims ?? undefined }, expires);
    return { ...caller, settings: { ...caller.settings, ...adminName, "latchkey.actor": "admin" }, actor: "admin" };
  };

  return {
    async authorize(headers, address, request = options) {
      const secrets = adminHeaders.filter((name) => headers[name] !== undefined);
      if (secrets.length > 0) {
        const [admin, ...others] = secrets.map((name) => findAdmin(String(headers[name])));
        // Secrets of two admins in one request would not say who acts.
        if (!admin || others.some((other) => !other || other.name !== admin.name))
          return refuseSecret(headers, address, request.log);
        const adminName: AdminName = admin.name === undefined ? {} : { "latchkey.admin_name": admin.name };
        const subject = parseSubject(parseSessionVariables(headers));
        if (subject) return actAs(subject, adminName, request.log);
        return { audience: "admin", settings: { role: "latchkey_admin", ...adminName }, expires: undefined };
      }
      const answer = await webhook.ask(headers, address).catch((error: unknown) => {
        // Never log the answer or the URL: both may hold a secret.
        request.log.error({ err: (error as Error).message }, "the authorization webhook failed");
        throw new AuthorizationUnavailable("the authorization webhook failed", { cause: error });
      });
      if (!answer) throw new Unauthorized("the webhook refused", headers);
      const { identity, expires } = answer;
      if (expires.getTime() <= Date.now()) throw new Unauthorized("the token has expired", headers);
      requireOwn(parseSessionVariables(headers), identity);
      return toCaller(identity, expires);
    },
    stop: webhook.stop,
  };
}

/** Sealed with the caller's claims (statements.ts), and read by private.admin_name. */
interface AdminName {
  "latchkey.admin_name"?: string;
}

const toCaller = ({ role, sessionId, userId = "", claims }: Identity, expires: Date): Caller => ({
  audience: "user",
  settings: {
    role: `latchkey_${role}`,
    "latchkey.session_id": sessionId,
    "latchkey.user_id": userId,
    ...(claims !== undefined && { "latchkey.claims": claims }),
  },
  expires,
});
