import type { ServerConfig } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import type { PrintedMessages } from "../runtime/printed_messages.ts";
import type { Database } from "./database/database.ts";
import type { GraphqlForward } from "./http/graphql_forward.ts";
import type { Observers } from "../http/request_log.ts";
import type { Readiness } from "../http/readiness.ts";
import type { PasswordCalls } from "./passwords/password_calls.ts";
import type { Deliveries } from "./rest/deliveries.ts";
import type { Passkeys } from "./passkeys/passkeys.ts";
import type { SendProofs } from "./proofs/send_proofs.ts";
import type { TotpSecrets } from "./factors/totp_secrets.ts";
import type { KeyRing, LiveKeys } from "./tokens/live_keys.ts";
import type { Tokens } from "./tokens/tokens.ts";

/** The services that handlers share. */
export interface Services {
  config: ServerConfig;
  log: Log;
  database: Database;
  deliveries: Deliveries;
  readiness: Readiness;
  /** The signing keys that are in force. */
  keys: LiveKeys;
  /** The states of those that this server cannot open, by kid. */
  unopenedKeys?: KeyRing["unopened"];
  observers?: Observers | undefined;
  tokens: Tokens;
  totpSecrets: TotpSecrets;
  passkeys: Passkeys;
  sendProofs: SendProofs;
  passwords: PasswordCalls;
  /** The messages that a worker in this process prints; undefined if no worker runs in it. */
  printedMessages: PrintedMessages | undefined;
  /** Forwards to GraphQL's program; undefined where GRAPHQL_UPSTREAM is off. */
  graphql: Pick<GraphqlForward, "forward"> | undefined;
}
