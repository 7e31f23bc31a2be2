export { createLatchkey, type Latchkey, type LatchkeyOptions } from "./client.ts";
export type { Api, ApiMethod, Challenge } from "./api.ts";
export type { EnterCodeOptions, SendCodeOptions, SentCode, SignInWithCode } from "./code_sign_in.ts";
export type {
  ErrorCode,
  LatchkeyError,
  NetworkFailure,
  Reason,
  Result,
  ServiceError,
  TransportError,
  UnexpectedResponse,
} from "./errors.ts";
export type {
  Graphql,
  GraphqlError,
  GraphqlErrorEntry,
  GraphqlOptions,
  GraphqlResult,
  TypedDocument,
  UntypedDocument,
  VariablesOf,
} from "./graphql.ts";
export type { Live, LiveListener, WebSocketClass } from "./live.ts";
export type { Moments } from "./moments.ts";
export type { PasskeyFailure } from "./browser_passkeys.ts";
export type { AddPasskey, PasskeySupport, SignInWithPasskey, SignInWithPasskeyOptions } from "./passkeys.ts";
export type { paths } from "./schema.ts";
export type { SessionManager } from "./session.ts";
export { localTokenStorage, memoryTokenStorage, tabTokenStorage, type TokenStorage } from "./storage.ts";
export type { Session } from "./session_tokens.ts";
