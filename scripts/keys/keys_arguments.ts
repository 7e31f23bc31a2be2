import type { SigningAlgorithm } from "../../config/secrets/signing_keys.ts";
import { OperatorError } from "../../runtime/operator_error.ts";

export type KeysRequest =
  | { command: "list" | "next" }
  | { command: "generate"; algorithm: SigningAlgorithm }
  | { command: "promote"; now: boolean }
  | { command: "retire"; kid: string; now: boolean };

const usage = "npm run keys -- list | generate [ES256 | RS256] | next | promote [--now] | retire KID [--now]";

/** Parses the command line. @throws OperatorError with the usage */
export function parseKeysArguments(args: readonly string[]): KeysRequest {
  const now = args.includes("--now");
  const [command = "", first, ...more] = args.filter((argument) => argument !== "--now");
  const isComplete = more.length === 0;
  if ((command === "list" || command === "next") && first === undefined && !now) return { command };
  if (command === "generate" && isComplete && !now && (first === undefined || first === "ES256" || first === "RS256"))
    return { command, algorithm: first ?? "ES256" };
  if (command === "promote" && first === undefined) return { command, now };
  if (command === "retire" && isComplete && first !== undefined) return { command, kid: first, now };
  throw new OperatorError(`Usage: ${usage}`);
}
