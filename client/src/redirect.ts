/** The service never redirects, and whoever does would get the passwords and refresh tokens in the bodies of requests. */
export const redirect = "error";
