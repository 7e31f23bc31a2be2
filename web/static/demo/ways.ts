const root = document.querySelector<HTMLElement>("#app");
const ways = new Set(root?.dataset.ways?.split(" "));

/** Whether the service signs people in like this, or replaces a lost phone by an email. The server's page says so. */
export const offers = (way: "email" | "passkey" | "phone_recovery"): boolean => ways.has(way);

export const isEmail = (name: string): boolean => name.includes("@");

/** A phone, or an email in its place, as routes take it. */
export const named = (name: string): { phone: string } | { email: string } =>
  isEmail(name) ? { email: name } : { phone: name };
