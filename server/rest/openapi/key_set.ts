import { anyOf, closed, type JsonObject } from "./schemas.ts";

const constant = (value: string, description: string): JsonObject => ({
  type: "string",
  const: value,
  description,
});
const coordinate = (example: string): JsonObject => ({
  type: "string",
  pattern: "^[\\w-]{43}$",
  examples: [example],
  description: "A coordinate of the point: 32 bytes in base64url.",
});

const common = {
  kid: {
    type: "string",
    minLength: 1,
    examples: ["0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f"],
    description: "The key's id, as in the header of tokens.",
  },
  use: constant("sig", "It verifies signatures."),
};

/** Nothing but these members: one that is added by mistake could be of the private half. */
const publicKeys = [
  closed(
    {
      kty: constant("EC", "An elliptic curve key (RFC 7518)."),
      crv: constant("P-256", "The curve."),
      x: coordinate("HEH0VnKO7ZKCQIoHnZkdJ45ApMQzqwyfhYzOlR6b_kw"),
      y: coordinate("Sn4WjSNAFPHgMmGJSXJqS_t-FDt5zzqueII5LgGRU4c"),
      ...common,
      alg: constant("ES256", "The algorithm of tokens with this key."),
    },
    { title: "EcPublicKey", description: "A public key of the curve P-256." },
  ),
  closed(
    {
      kty: constant("RSA", "An RSA key (RFC 7518)."),
      n: {
        type: "string",
        pattern: "^[\\w-]+$",
        examples: ["u1SU1LfVLPHCozMxH2Mo4lgO"],
        description: "The modulus: 2048 to 4096 bits in base64url.",
      },
      e: { type: "string", pattern: "^[\\w-]{1,12}$", examples: ["AQAB"], description: "The exponent, in base64url." },
      ...common,
      alg: constant("RS256", "The algorithm of tokens with this key."),
    },
    { title: "RsaPublicKey", description: "An RSA public key." },
  ),
];

export const keySet = closed(
  {
    keys: {
      type: "array",
      items: anyOf(publicKeys),
      minItems: 1,
      description: "The key that signs, one that will sign next, and those whose tokens are still good.",
    },
  },
  { title: "KeySet" },
);
