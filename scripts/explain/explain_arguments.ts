import { parseArgs } from "node:util";
import { OperatorError } from "../../runtime/operator_error.ts";
import { normalizeEmail, normalizePhone } from "../../runtime/identifiers.ts";
import { acceptableRequestId } from "../../runtime/request_ids.ts";

/** What is to be explained: a phone or an email address since a time, or a request by its id. */
export type StoryRequest = PersonRequest | { requestId: string };

interface PersonRequest {
  /** E.164, or a lower-cased email address. */
  identifier: string;
  /** The text that was typed: 24h. */
  since: string;
  seconds: number;
}

const usage =
  "Usage: npm run explain -- +4915112345678 --since 24h, or npm run explain -- --request <X-Request-Id of an answer>";
const secondsOf: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };
/** The longest that one-time passwords may be kept (OTP_RETENTION_DAYS). */
const maxSeconds = 3_650 * 86_400;

/** @throws OperatorError that says what is wrong with the arguments */
export function parseArguments(args: string[]): StoryRequest {
  const { positionals, since: typedSince, request } = readOptions(args);
  if (request !== undefined) {
    if (positionals.length > 0 || typedSince !== undefined)
      throw new OperatorError(`--request takes the place of the phone and of --since. ${usage}`);
    if (!acceptableRequestId.test(request.trim()))
      throw new OperatorError(
        `${request} is no id of a request: the header X-Request-Id of an answer has up to 128 letters, digits, dots, ` +
          `underscores, colons and hyphens. ${usage}`,
      );
    return { requestId: request.trim() };
  }
  const since = typedSince ?? "24h";
  // A phone may be typed in groups, without quotes.
  const text = positionals.join(" ");
  if (text === "") throw new OperatorError(`A phone or an email address is missing. ${usage}`);
  const identifier = text.includes("@") ? normalizeEmail(text) : normalizePhone(text);
  if (identifier === undefined)
    throw new OperatorError(
      `${text} is neither a valid phone, written internationally with a leading +, nor an email address. ${usage}`,
    );
  const [, count, unit = ""] = /^([1-9][0-9]{0,8})([mhd])$/.exec(since) ?? [];
  const seconds = Number(count) * (secondsOf[unit] ?? NaN);
  if (!(seconds <= maxSeconds))
    throw new OperatorError(
      `--since ${since} is not valid: write a number and m, h or d, for example 90m, 24h or 7d; 3650d at most. ${usage}`,
    );
  return { identifier, since, seconds };
}

function readOptions(args: string[]): { positionals: string[]; since?: string; request?: string } {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { since: { type: "string" }, request: { type: "string" } },
    });
    return { positionals, ...values };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}
