import { z } from "zod";
import type { PasskeyOptions } from "../../database/api_answers.ts";
import { passkeyAlgorithms } from "../../passkeys/passkeys.ts";
import { id } from "./answer_fields.ts";
import { presenter } from "./presenter.ts";

const challengeId = id.meta({ description: "Send it back with the passkey's answer, once, within five minutes." });
const bytes = (description: string) =>
  z.string().meta({ description: `${description} In base64url.`, examples: ["dGhpcyBpcyBiYXNlNjR1cmw"] });
const challenge = bytes("What the passkey signs.");
const timeout = z.int().meta({ examples: [300_000], description: "How long a person may take, in milliseconds." });
const domain = z.string().meta({ examples: ["example.com"], description: "The domain that passkeys belong to." });
const name = z.string().meta({ examples: ["+12125550123"], description: "As the browser shows it." });

const publicKey = z.literal("public-key").meta({ description: "The only kind of credential." });
const transport = z.enum(["usb", "nfc", "ble", "smart-card", "hybrid", "internal", "cable"]);
const descriptor = z
  .object({
    type: publicKey,
    id: bytes("A passkey's id."),
    transports: z
      .array(transport)
      .optional()
      .meta({ examples: [["internal"]], description: "How browsers reach it." }),
  })
  .meta({ title: "PasskeyDescriptor" });

/** What navigator.credentials.create takes (PublicKeyCredential.parseCreationOptionsFromJSON). */
const creationOptions = z
  .object({
    rp: z.object({ id: domain, name }).meta({ description: "Whose passkey it is to be." }),
    user: z
      .object({ id: bytes("The user's id."), name, displayName: name })
      .meta({ description: "Who is to have the passkey." }),
    challenge,
    pubKeyCredParams: z
      .array(
        z
          .object({
            type: publicKey,
            alg: z.int().meta({
              examples: [-7],
              description: `COSE's number of the algorithm: ${passkeyAlgorithms.join(", ")}.`,
            }),
          })
          .meta({ title: "PasskeyAlgorithm" }),
      )
      .meta({ description: "Signatures that are verified." }),
    timeout,
    excludeCredentials: z.array(descriptor).meta({ description: "The passkeys that the user has." }),
    authenticatorSelection: z
      .object({
        residentKey: z
          .literal("preferred")
          .meta({ description: "One that can be found without a name signs in by itself." }),
        requireResidentKey: z.literal(false).meta({ description: "The same for older browsers." }),
        userVerification: z
          .literal("preferred")
          .meta({ description: "A passkey that verifies its user signs in by itself." }),
      })
      .meta({ description: "What kind of passkey." }),
    attestation: z.literal("none").meta({ description: "Nobody asks who made the device." }),
  })
  .meta({ title: "PasskeyCreationOptions", description: "For navigator.credentials.create(), as JSON." });

/** What navigator.credentials.get takes (PublicKeyCredential.parseRequestOptionsFromJSON). */
const requestOptions = z
  .object({
    rpId: domain,
    challenge,
    timeout,
    allowCredentials: z
      .array(descriptor)
      .meta({ description: "The user's passkeys; empty where any passkey of the domain will do." }),
    userVerification: z
      .enum(["required", "preferred"])
      .meta({ description: "Whether the device has to verify its user." }),
  })
  .meta({ title: "PasskeyRequestOptions", description: "For navigator.credentials.get(), as JSON." });

/** SQL makes the options (private.creation_options, private.request_options). */
export const passkeyCreation = presenter(
  "PasskeyCreation",
  z.object({ challenge_id: challengeId, options: creationOptions }),
  ({ challenge_id, options }: PasskeyOptions) => ({
    challenge_id,
    options: options as z.output<typeof creationOptions>,
  }),
);
export const passkeyRequest = presenter(
  "PasskeyRequest",
  z.object({ challenge_id: challengeId, options: requestOptions }),
  ({ challenge_id, options }: PasskeyOptions) => ({
    challenge_id,
    options: options as z.output<typeof requestOptions>,
  }),
);
