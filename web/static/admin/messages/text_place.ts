import { isRecord, type Json } from "../documents/setting_documents.ts";

/** Where a text stands in OTP_PROVIDER: null and null is "template", the last resort. */
export interface Place {
  purpose: string | null;
  locale: string | null;
}

export const placeName = ({ purpose, locale }: Place): string =>
  purpose === null ? "Every message" : `${purpose === "default" ? "Any purpose" : purpose}, ${locale ?? ""}`;

/** OTP_PROVIDER with one text changed, or removed where it is undefined. */
export function withText(provider: Json, { purpose, locale }: Place, text: string | undefined): Json {
  const record = isRecord(provider) ? provider : {};
  if (purpose === null || locale === null) return { ...record, ...(text !== undefined && { template: text }) };
  const { templates, ...rest } = record;
  const all = isRecord(templates) ? templates : {};
  const { [purpose]: ofPurpose, ...others } = all;
  const locales = Object.entries(isRecord(ofPurpose) ? ofPurpose : {}).filter(([tag]) => tag !== locale);
  const changed = Object.fromEntries(text === undefined ? locales : [...locales, [locale, text]]);
  const merged = Object.keys(changed).length === 0 ? others : { ...others, [purpose]: changed };
  return Object.keys(merged).length === 0 ? rest : { ...rest, templates: merged };
}
