import { z } from "zod";
import { fault, missingOrWrong, text } from "./body_faults.ts";

/** What browsers answer for passkeys, as their toJSON() writes it (WebAuthn, sections 5.1.8 and 5.1.9). */

export const challengeId = text
  .refine((value) => z.uuid().safeParse(value).success, fault("INVALID_REQUEST"))
  .meta({
    format: "uuid",
    description: "Of the options that the passkey answers.",
    examples: ["0b2f6c1e-5d7a-4c3b-9e8f-1a2b3c4d5e6f"],
  });

const base64url = /^[A-Za-z0-9_-]+$/;
/** @param most bytes: a request body has 16 KiB, and none of these is nearly as long */
const bytes = (most: number, description: string) =>
  text
    .refine((value) => base64url.test(value) && value.length <= Math.ceil((most * 4) / 3), fault("INVALID_REQUEST"))
    .meta({
      description: `${description} In base64url, ${most} bytes at most.`,
      examples: ["dGhpcyBpcyBiYXNlNjR1cmw"],
    });

const credentialId = bytes(1023, "The passkey's id.");
const clientDataJSON = bytes(2048, "What the browser signed for.");
const transports = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal", "cable"];

const about = {
  id: credentialId,
  rawId: credentialId,
  type: text
    .refine((value) => value === "public-key", fault("INVALID_REQUEST"))
    .meta({ enum: ["public-key"], examples: ["public-key"], description: "The only kind of credential." }),
};

const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, { error: missingOrWrong });

/** What navigator.credentials.create answers. The server reads id and key in attestationObject. */
export const newCredential = objectOf({
  ...about,
  response: objectOf({
    clientDataJSON,
    attestationObject: bytes(8192, "The passkey's id, key and flags."),
    transports: z
      .array(z.string(fault("INVALID_REQUEST")), fault("INVALID_REQUEST"))
      .max(20, fault("INVALID_REQUEST"))
      .nullish()
      .meta({ description: "How browsers reach the passkey's device.", examples: [["internal", "hybrid"]] })
      // Browsers may know others, which are of no use to those that do not.
      .transform((names) => names?.filter((name) => transports.includes(name)) ?? null),
  }).meta({ description: "What the authenticator answered." }),
}).meta({ description: "What navigator.credentials.create() answered, as JSON." });

/** What navigator.credentials.get answers. */
export const credential = objectOf({
  ...about,
  response: objectOf({
    clientDataJSON,
    authenticatorData: bytes(2048, "What the authenticator signed beside that."),
    signature: bytes(1024, "Its signature."),
    userHandle: z
      .string(fault("INVALID_REQUEST"))
      .max(86, fault("INVALID_REQUEST"))
      .regex(/^[A-Za-z0-9_-]*$/, fault("INVALID_REQUEST"))
      .nullish()
      .meta({ description: "The user whom the passkey names, in base64url.", examples: ["AZfwpG8rfD2eT1prfI2eDw"] }),
  }).meta({ description: "What the authenticator answered." }),
})
  .meta({ description: "What navigator.credentials.get() answered, as JSON." })
  .transform(({ id, response: { authenticatorData, userHandle } }) => ({
    credential_id: Buffer.from(id, "base64url"),
    authenticator_data: Buffer.from(authenticatorData, "base64url"),
    user_handle: userHandle ? Buffer.from(userHandle, "base64url") : null,
  }));
