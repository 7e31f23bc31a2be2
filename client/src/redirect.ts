/** The service never redirects. Following another program's redirect would send it the passwords and refresh tokens in request bodies. */
export const redirect = "error";
