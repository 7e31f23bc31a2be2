import { isValidPhone, normalizePhone } from "../../runtime/identifiers.ts";
import { readTypedText } from "../../runtime/typed_text.ts";
import { Refusal } from "../refusal.ts";

/**
 * Functions that make a phone an account's, or invite it to be one, as registration does: the phone must be valid. Others act on phones that
 * may be stored already.
 */
const givingFunctions = new Set(["create_account", "invite"]);

const refusal = (name: string, rule: string) =>
  new Refusal(
    "constraint-violation",
    `${name}: the phone is not valid: ${rule}, written internationally with a leading +, such as +12125550123.`,
  );

/**
 * Reads an argument of a function. A phone is normalized as REST does; every other value stays as it is.
 * @throws Refusal
 */
export function readArgument(functionName: string, name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isPhone =
    // explain_delivery takes an email address as well; of limits_of and clear_limits, a subject with a plus is a phone.
    (name === "phone" && !value.includes("@")) ||
    (name === "subject" && /^[+\uff0b]/.test(readTypedText(value.slice(0, 100))?.trim() ?? ""));
  if (!isPhone) return value;
  return givingFunctions.has(functionName) ? readNewPhone(name, value) : readPhone(name, value);
}

/** Reads the values of `_set`: a phone there becomes an account's. @throws Refusal */
export const readValues = <Values extends Record<string, unknown>>(values: Values): Values =>
  typeof values.phone === "string" ? { ...values, phone: readNewPhone("phone", values.phone) } : values;

function readPhone(name: string, text: string): string {
  const phone = normalizePhone(text);
  if (phone === undefined) throw refusal(name, "it must be a possible number of its country");
  return phone;
}

function readNewPhone(name: string, text: string): string {
  const phone = readPhone(name, text);
  if (!isValidPhone(phone)) throw refusal(name, "its country's numbering plan must have it");
  return phone;
}
