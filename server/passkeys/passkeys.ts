import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Log } from "../../runtime/log.ts";
import { createThrottledWarning } from "../../runtime/throttled_warning.ts";

/** What a new passkey's first answer holds. Its flags and counter are in authenticator_data, which SQL reads. */
export interface NewPasskey {
  credential_id: Buffer;
  /** COSE, as WebAuthn has it. */
  public_key: Buffer;
  authenticator_data: Buffer;
}

/**
 * Checks what passkeys sign. It knows no account and keeps nothing: who may sign what, how often and until when is SQL's
 * part (db/functions/private/passkeys).
 */
export interface Passkeys {
  /** The domain that passkeys belong to; null: there are no passkeys. */
  rpId: string | null;
  /** The passkey that a browser made for this challenge; undefined if its answer is not one. */
  readNew: (challenge: string, credential: unknown) => Promise<NewPasskey | undefined>;
  /**
   * Whether the passkey has signed this challenge.
   * @param publicKey null: there is no such passkey, which takes as long to say
   */
  isSigned: (challenge: string, publicKey: Buffer | null, credential: unknown) => Promise<boolean>;
}

/** ES256, EdDSA and RS256: what authenticators have. */
export const passkeyAlgorithms = [-7, -8, -257];

interface RelyingParty {
  WEBAUTHN_RP_ID?: string | undefined;
  WEBAUTHN_ORIGINS?: string[] | undefined;
}

/** Anybody may send an answer of any page, so the log has one line a minute. */
const warningIntervalMs = 60_000;

export function createPasskeys(
  { WEBAUTHN_RP_ID: rpId = "", WEBAUTHN_ORIGINS: origins = [] }: RelyingParty,
  log: Log,
): Passkeys {
  const warnOfOrigin = createThrottledWarning(
    log,
    "A passkey was refused, because WEBAUTHN_ORIGINS has not the origin of its page",
    warningIntervalMs,
  );
  /** The library throws what it refuses. The client is told nothing more; the operator learns of a page that is missing. */
  async function unlessRefused<T>(
    credential: RegistrationResponseJSON | AuthenticationResponseJSON,
    refusal: T,
    check: () => Promise<T>,
  ): Promise<T> {
    try {
      return await check();
    } catch {
      const origin = originOf(credential);
      if (origin !== undefined && !origins.includes(origin)) warnOfOrigin("origin", origin);
      return refusal;
    }
  }
  const expected = { expectedOrigin: origins, expectedRPID: rpId, requireUserVerification: false };
  return {
    rpId: rpId || null,
    readNew: (challenge, credential) => {
      const response = credential as RegistrationResponseJSON;
      return unlessRefused(response, undefined, async () => {
        const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
        const { registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          expectedChallenge: challenge,
          response: await withoutAttestation(response),
          supportedAlgorithmIDs: passkeyAlgorithms,
        });
        if (!registrationInfo) return undefined;
        const { id, publicKey } = registrationInfo.credential;
        return {
          credential_id: Buffer.from(id, "base64url"),
          public_key: Buffer.from(publicKey),
          authenticator_data: await authenticatorDataOf(registrationInfo.attestationObject),
        };
      });
    },
    isSigned: (challenge, publicKey, credential) => {
      const response = credential as AuthenticationResponseJSON;
      return unlessRefused(response, false, async () => {
        const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
        const { verified } = await verifyAuthenticationResponse({
          ...expected,
          expectedChallenge: challenge,
          response,
          // SQL compares the counter, under the lock of the account.
          credential: { id: response.id, publicKey: Uint8Array.from(publicKey ?? nobodysKey), counter: 0 },
        });
        return verified && publicKey !== null;
      });
    },
  };
}

/** The page that an answer says it is of; undefined where it says nothing that can be read. */
function originOf(credential: RegistrationResponseJSON | AuthenticationResponseJSON): string | undefined {
  try {
    const { response } = credential;
    const { origin } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as { origin: unknown };
    return typeof origin === "string" ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** A P-256 key in COSE whose private half was thrown away. */
const nobodysKey = Buffer.from(
  "a5010203262001215820564bbd8fa8636d9e35c49672038da76d5aaedf5ee78b5e6f50c929f6bd6ff09f" +
    "22582036d8c1ffe36558f5bdb297e2549b7469b72fd9bf5174c5a24362c7fcadfde0c3",
  "hex",
);

/**
 * The same answer without its attestation, which says who made the authenticator: nobody asks for it here, and its
 * certificates may name addresses that a verifier would fetch.
 */
async function withoutAttestation(credential: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { isoCBOR, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const authData = await authenticatorDataOf(isoBase64URL.toBuffer(credential.response.attestationObject));
  const members = { fmt: "none", attStmt: new Map<string, never>(), authData: Uint8Array.from(authData) };
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(members))));
  return { ...credential, response: { ...credential.response, attestationObject } };
}

async function authenticatorDataOf(attestationObject: Uint8Array): Promise<Buffer> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  return Buffer.from(decodeAttestationObject(Uint8Array.from(attestationObject)).get("authData"));
}
