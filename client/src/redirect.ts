/** The service never redirects. Another program that did would get the passwords and refresh tokens in the bodies of requests. */
export const redirect = "error";
