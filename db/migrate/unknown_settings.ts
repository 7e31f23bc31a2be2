import { allVariables } from "../../config/variables.ts";
import type { Environment } from "../../config/environment.ts";
import { nearest } from "../../config/nearest.ts";

/**
 * Prefixes of the names of settings. A variable with such a prefix that is not a setting is misspelled: the setting
 * would keep its default. Of EMAIL_DELIVERY and EMAIL_SIGN_IN only near misses: other programs have variables such as EMAIL_HOST.
 */
const prefixes =
  /^(EMAIL_DELIVER\w{0,2}$|EMAIL_SIGN_?\w{0,3}$|REGISTRATIO\w{0,2}$|SEND_PROO\w{0,2}$|(OTP|ADMIN_FAILURES|LOGINS?|NOTICES|PASSWORD|PHONE_RECYCLED|PHONE_RECOVERY|RECOVERY_DELAY|REGISTER|SIGNUP|INVITATIONS?|GUEST|ACCESS_TOKEN|REFRESH|SESSIONS?|SECOND|STEP_UP|FACTOR|PASSKEY|ACCOUNT_DELETION|EXPORTS|EVENT|FRAUD|SEND_DECISION|SEND_PROOF|FAILED_JOB)_)/;
/** Variables of the program pass(1) and of X sessions, which many developers have set. */
const foreign = /^(PASSWORD_STORE_|SESSION_MANAGER$)/;

/** Returns a sentence for each variable of the environment that looks like a setting and is not one. */
export function unknownSettings(env: Environment, settings: string[]): string[] {
  const known = [...settings, ...allVariables.filter((name) => prefixes.test(name))];
  const unknown = Object.keys(env).filter(
    (name) => env[name] && prefixes.test(name) && !foreign.test(name) && !known.includes(name),
  );
  return unknown.map((name) => `${name} is not a setting: did you mean ${nearest(name, known).name}?`);
}
