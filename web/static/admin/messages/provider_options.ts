import { isRecord, type Json, type JsonRecord } from "../documents/setting_documents.ts";

/** An option of a vendor in OTP_PROVIDER: its field in the form, and what it means. */
export interface Option {
  name: string;
  hint: string;
  /** An example of its value. */
  example?: string;
  /** The values to choose from; the first is the default. */
  choices?: string[];
  /** Whether it has an id for each purpose and language. */
  isByText?: boolean;
}

interface Vendor {
  options: Option[];
  example: JsonRecord;
}

const entityId: Option = {
  name: "entityId",
  hint: "India: the sender's id in the carriers' registry (DLT)",
  example: "1101234567890123456",
};
const textId = (name: string): Option => ({
  name,
  hint: "India: the ids of the texts in the registry, by purpose and language",
  example: "1107234567890123456",
  isByText: true,
});
const template = "{{code}} is your code. It is valid for {{minutes}} minutes.";

/** The vendors of docs/delivery.md, each with all of its options and with a record that works. */
export const vendors: Record<string, Vendor> = {
  twilio: {
    options: [
      { name: "from", hint: "The sender's number", example: "+12125550100" },
      {
        name: "messagingServiceSid",
        hint: "A messaging service, instead of a number",
        example: "MG00000000000000000000000000000001",
      },
      {
        name: "channel",
        hint: "WhatsApp needs contentSid for default and for PHONE_CHANGED; voice calls and reads the code out",
        choices: ["sms", "whatsapp", "voice"],
      },
      {
        name: "contentSid",
        hint: "WhatsApp: the ids of approved templates, whose variable 1 is the code, by purpose and language",
        example: "HX00000000000000000000000000000001",
        isByText: true,
      },
    ],
    example: {
      providerToUse: "twilio",
      template,
      twilio: {
        from: "+12125550100",
        channel: "whatsapp",
        contentSid: {
          default: {
            default: "HX00000000000000000000000000000001",
            de: "HX00000000000000000000000000000002",
          },
          PHONE_CHANGED: { default: "HX00000000000000000000000000000003" },
        },
      },
    },
  },
  "aws-sns": {
    options: [
      { name: "senderId", hint: "The sender's name; empty: AWS's own", example: "Shop" },
      entityId,
      textId("templateId"),
    ],
    example: {
      providerToUse: "aws-sns",
      template,
      "aws-sns": {
        senderId: "Shop",
        entityId: "1101234567890123456",
        templateId: { default: { default: "1107234567890123456" } },
      },
    },
  },
  vonage: {
    options: [
      { name: "from", hint: "The sender's number in digits, or its name", example: "Shop" },
      entityId,
      textId("contentId"),
    ],
    example: {
      providerToUse: "vonage",
      template,
      vonage: {
        from: "Shop",
        entityId: "1101234567890123456",
        contentId: { default: { default: "1107234567890123456" } },
      },
    },
  },
  http: {
    options: [
      {
        name: "url",
        hint: "Your gateway; in production its host must be in SMS_HTTP_HOSTS",
        example: "https://sms.example.com/send",
      },
      entityId,
      textId("templateId"),
    ],
    example: { providerToUse: "http", template, http: { url: "https://sms.example.com/send" } },
  },
  console: { options: [], example: { providerToUse: "console", template } },
};

const members = ["providerToUse", "template", "templates", "fallback", ...Object.keys(vendors)];

/** The members of OTP_PROVIDER that have no field of their own. */
export const otherMembers = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !members.includes(name)));

/**
 * The members that have a field of their own. An empty field is an option that is not set; what has no field stays as
 * it is.
 */
export const knownMembers = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Json][] => {
      if (!members.includes(name)) return [];
      const options = vendors[name]?.options.map((option) => option.name);
      return options && isRecord(value) ? withoutEmpty(name, value, options) : [[name, value]];
    }),
  );

export const optionsOf = (record: JsonRecord, vendor: string): JsonRecord => {
  const options = record[vendor];
  return isRecord(options) ? options : {};
};

/** One member without those of its own members that are empty, or none if nothing is left. */
function withoutEmpty(name: string, value: Json, names?: string[]): [string, Json][] {
  if (value === "") return [];
  if (!isRecord(value)) return [[name, value]];
  const left = Object.entries(value).flatMap(([member, inner]): [string, Json][] =>
    names && !names.includes(member) ? [[member, inner]] : withoutEmpty(member, inner),
  );
  return left.length === 0 ? [] : [[name, Object.fromEntries(left)]];
}
