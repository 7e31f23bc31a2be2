import { z } from "zod";
import type { Environment } from "./environment.ts";

/** WEBAUTHN_RP_ID: the domain that passkeys belong to. Browsers refuse IP addresses. */
export const relyingPartyId = z
  .string()
  .refine(
    (text) => URL.parse(`https://${text}`)?.hostname === text && !/^[\d.]+$|^\[|\.$/.test(text),
    "must be a domain such as example.com: in lower case, without a scheme, port or path, and no IP address",
  );

/** The origin of an Android app: the digest of the certificate that signed it. */
const isAndroidApp = (origin: string): boolean => /^android:apk-key-hash:[\w-]{43}$/.test(origin);

const isPage = (text: string): boolean =>
  /^https?:/.test(text) && !text.includes("*") && URL.parse(text)?.origin === text;

/** WEBAUTHN_ORIGINS: the pages and apps whose passkeys count, separated by commas. */
export const webauthnOrigins = z
  .string()
  .transform((text) => text.split(",").map((origin) => origin.trim()))
  .refine(
    (origins) => origins.every((origin) => isPage(origin) || isAndroidApp(origin)),
    "must be origins such as https://app.example.com or android:apk-key-hash:…, separated by commas: as browsers and Android send them",
  );

interface Variables {
  NODE_ENV: string;
  WEBAUTHN_RP_ID?: string | undefined;
  WEBAUTHN_ORIGINS?: string[] | undefined;
}

/** Makes a schema refuse one of the variables without the other, and pages for which no browser makes passkeys. */
export const requireRelyingParty = <Schema extends z.ZodType<Variables>>(schema: Schema): Schema =>
  schema
    .refine((env) => Boolean(env.WEBAUTHN_RP_ID) || !env.WEBAUTHN_ORIGINS, {
      path: ["WEBAUTHN_ORIGINS"],
      error: "needs WEBAUTHN_RP_ID beside it",
      when: () => true,
    })
    .refine((env) => Boolean(env.WEBAUTHN_ORIGINS) || !env.WEBAUTHN_RP_ID, {
      path: ["WEBAUTHN_RP_ID"],
      error: "needs WEBAUTHN_ORIGINS beside it",
      when: () => true,
    })
    .refine((env) => pagesOf(env).every(({ hostname }) => isWithin(hostname, env.WEBAUTHN_RP_ID ?? hostname)), {
      path: ["WEBAUTHN_ORIGINS"],
      error: "must be of the domain WEBAUTHN_RP_ID or below it",
    })
    .refine((env) => env.NODE_ENV !== "production" || pagesOf(env).every(({ protocol }) => protocol === "https:"), {
      path: ["WEBAUTHN_ORIGINS"],
      error: "must be https in production",
    });

const pagesOf = ({ WEBAUTHN_ORIGINS = [] }: Variables): URL[] =>
  WEBAUTHN_ORIGINS.filter(isPage).map((origin) => new URL(origin));

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Of npm start on a developer's machine: passkeys of localhost, whose pages need no https. */
export function localRelyingParty({ NODE_ENV, WEBAUTHN_RP_ID, WEBAUTHN_ORIGINS, PORT }: Environment): Environment {
  if (NODE_ENV === "production" || WEBAUTHN_RP_ID || WEBAUTHN_ORIGINS) return {};
  return { WEBAUTHN_RP_ID: "localhost", WEBAUTHN_ORIGINS: `http://localhost:${PORT || "3000"}` };
}
