/** A well-formed code that is wrong. otp: the right one, of six digits. */
export const otherCode = (otp: string): string => (otp === "000000" ? "000001" : "000000");
