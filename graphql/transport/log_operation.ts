import type { ExecutionResult, OperationDefinitionNode } from "postgraphile/graphql";
import type { Log } from "../../runtime/log.ts";
import type { Caller } from "../authorization/caller.ts";
import { limitOf } from "../engine/execution/dialect.ts";
import type { Change } from "../engine/execution/changes.ts";
import type { LogFields } from "../../http/request_context.ts";

/** Characters of an operation's name in the log: the client chooses it. */
const maxLoggedName = 64;

/** Who called, and as whom the admin acts. */
export const callerFields = ({ audience, settings, actor }: Caller): LogFields => ({
  actor: audience === "admin" ? "admin" : actor,
  adminName: settings["latchkey.admin_name"],
  actsAs: actor && settings.role.replace("latchkey_", ""),
  userId: settings["latchkey.user_id"] || undefined,
  sessionId: settings["latchkey.session_id"] || undefined,
});

/** What was called, without arguments and variables. */
export const operationFields = ({ name, operation }: OperationDefinitionNode): LogFields => ({
  operation: name?.value.slice(0, maxLoggedName),
  operationType: operation,
});

/** Writes the line of a change that an admin made. */
export function logChange(log: Log, caller: Caller, change: Change): void {
  log.info({ client: caller.address, ...callerFields(caller), ...change }, "the admin changed data");
}

/** Writes the line of a query or mutation that came over a socket; over HTTP it is part of the request's line. */
export function logOperation(
  log: Log,
  caller: Caller,
  operation: LogFields,
  { errors }: ExecutionResult,
  startedAt: number,
): void {
  const errorCode = errors?.[0]?.extensions.code as string | undefined;
  const policy = limitOf(errors);
  const ms = Math.round(performance.now() - startedAt);
  log.info({ client: caller.address, ...callerFields(caller), ...operation, errorCode, policy, ms }, "operation");
}
