import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** What tests name of the options that the service answers. */
interface Options {
  challenge: string;
  user?: { id: string };
}

interface Flags {
  /** Whether the person was verified, by a fingerprint or a PIN. */
  userVerified?: boolean;
  /** Whether the passkey may be copied to other devices, and whether it was. */
  backupEligible?: boolean;
  backedUp?: boolean;
}

export interface AuthenticatorOptions extends Flags {
  rpId?: string;
  origin?: string;
  /** The counter before the first signature. Default null: it stays 0, as that of synced passkeys. */
  counter?: number | null;
}

/** What a test may falsify in one answer. */
export interface Falsified extends Flags {
  rpId?: string;
  origin?: string;
  type?: string;
  challenge?: string;
  counter?: number;
  userPresent?: boolean;
  /** Base64url, of the answer's own members. */
  id?: string;
  signature?: string;
  userHandle?: string;
  /** Merged into clientDataJSON. */
  clientData?: object;
}

export interface Authenticator {
  /** Base64url. */
  id: string;
  /** Makes the passkey: what navigator.credentials.create answers, as JSON. */
  create: (options: Options, falsified?: Falsified) => RegistrationJson;
  /** Uses the passkey: what navigator.credentials.get answers, as JSON. Each use counts one further. */
  get: (options: Options, falsified?: Falsified) => AssertionJson;
  /** The same passkey in another device, which counts from where this one is. */
  clone: () => Authenticator;
}

export interface RegistrationJson {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
  clientExtensionResults: object;
}

export interface AssertionJson {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
  clientExtensionResults: object;
}

/** The relying party of tests' services (service.ts). */
export const relyingParty = { rpId: "localhost", origin: "http://localhost:3000" };

/** A passkey in software: ES256, attestation "none" (w3.org/TR/webauthn-3, section 6, checked 2026-11-28). */
export function createAuthenticator(options: AuthenticatorOptions = {}, passkey = newPasskey()): Authenticator {
  const { rpId, origin, counter = null, ...flags } = { ...relyingParty, ...options };
  const { id, privateKey, coseKey } = passkey;
  let count = counter ?? 0;

  const clientData = (type: string, challenge: string, falsified: Falsified) =>
    Buffer.from(
      JSON.stringify({
        type: falsified.type ?? type,
        challenge: falsified.challenge ?? challenge,
        origin: falsified.origin ?? origin,
        crossOrigin: false,
        ...falsified.clientData,
      }),
    );

  function authenticatorData(falsified: Falsified, attested?: Buffer): Buffer {
    if (counter !== null) count++;
    const { userVerified = true, backupEligible = false, backedUp = false } = { ...flags, ...falsified };
    const bits = [falsified.userPresent ?? true, false, userVerified, backupEligible, backedUp, false, attested];
    const byte = bits.reduce((sum, bit, position) => sum + (bit ? 2 ** position : 0), 0);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(falsified.counter ?? count);
    return Buffer.concat([sha256(falsified.rpId ?? rpId), Buffer.of(byte), counted, attested ?? Buffer.alloc(0)]);
  }

  const common = (falsified: Falsified) => {
    const shown = falsified.id ?? id.toString("base64url");
    return { id: shown, rawId: shown, type: "public-key" as const, clientExtensionResults: {} };
  };

  return {
    id: id.toString("base64url"),
    create(asked, falsified = {}) {
      passkey.userHandle ??= asked.user?.id;
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, id, coseKey]);
      const attestation = new Map<string | number, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authenticatorData(falsified, attested)],
      ]);
      return {
        ...common(falsified),
        response: {
          clientDataJSON: clientData("webauthn.create", asked.challenge, falsified).toString("base64url"),
          attestationObject: encode(attestation).toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    get(asked, falsified = {}) {
      const data = authenticatorData(falsified);
      const client = clientData("webauthn.get", asked.challenge, falsified);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey).toString("base64url");
      return {
        ...common(falsified),
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: falsified.signature ?? signature,
          ...(passkey.userHandle !== undefined && { userHandle: falsified.userHandle ?? passkey.userHandle }),
        },
      };
    },
    clone: () => createAuthenticator({ ...options, counter: counter === null ? null : count }, passkey),
  };
}

interface Passkey {
  id: Buffer;
  privateKey: KeyObject;
  coseKey: Buffer;
  /** The user's, once it was made. */
  userHandle?: string | undefined;
}

function newPasskey(): Passkey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const coseKey = new Map<string | number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  return { id: randomBytes(16), privateKey, coseKey: encode(coseKey) };
}

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();

type Cbor = number | string | Buffer | ReadonlyMap<string | number, Cbor>;

/** The part of CBOR (RFC 8949) that passkeys consist of. */
function encode(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const members = [...value].flatMap(([key, own]: [string | number, Cbor]) => [encode(key), encode(own)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

function head(type: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of((type << 5) | argument);
  if (argument < 2 ** 8) return Buffer.of((type << 5) | 24, argument);
  return Buffer.of((type << 5) | 25, argument >> 8, argument & 255);
}
