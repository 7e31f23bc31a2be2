import type { Request } from "express";
import { shortenPreferences } from "../../http/long_preferences.ts";

const mostTags = 10;
const longestTag = 35;
/** BCP 47 as far as the keys of OTP_PROVIDER's templates need it; "*" is no language. */
const tagPattern = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;

/** The languages of Accept-Language, the preferred one first; anything else is ignored. */
export function acceptedLanguages(request: Request): string[] {
  shortenPreferences(request, "accept-language");
  return request
    .acceptsLanguages()
    .filter((tag) => tag.length <= longestTag && tagPattern.test(tag))
    .slice(0, mostTags);
}
