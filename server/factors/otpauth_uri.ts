/** The alphabet of RFC 4648, in which apps take a secret. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes in base 32, whose number of bits is a multiple of five. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => alphabet.charAt(parseInt(five, 2)));
}

/**
 * What an authenticator app reads as a QR code. It has the parameters that apps take for granted, because some ignore
 * them, so no others are written.
 */
export function otpauthUri(issuer: string, accountName: string, secret: string): string {
  // Apps show the issuer before the account, and a colon separates them.
  const name = issuer.replace(/^https?:\/\//, "").replaceAll(":", " ");
  const path = `${encodeURIComponent(name)}:${encodeURIComponent(accountName)}`;
  return `otpauth://totp/${path}?secret=${secret}&issuer=${encodeURIComponent(name)}`;
}
