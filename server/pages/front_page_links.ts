import type { ServerConfig } from "../../config/config.ts";

/** A page that the front page links to. */
export interface FrontPageLink {
  href: string;
  name: string;
  text: string;
}

/** Links of the front page: pages that are switched off have none. */
export const frontPageLinks = (config: Pick<ServerConfig, "CONSOLE" | "DEMO">): FrontPageLink[] => [
  ...(config.DEMO
    ? [
        {
          href: "/demo",
          name: "Sign-in demo",
          text: "Register, log in, and end sessions, as your users will",
        },
      ]
    : []),
  {
    href: "/docs",
    name: "API reference",
    text: "Every operation, with examples that run against this server",
  },
  ...(config.CONSOLE
    ? [
        {
          href: "/admin",
          name: "Operator console",
          text: "Accounts, deliveries and settings, with the admin secret",
        },
        {
          href: "/console",
          name: "GraphQL console",
          text: "Query and change with the admin secret or a token",
        },
      ]
    : []),
  { href: "/api/v1/openapi.json", name: "OpenAPI document", text: "Every route, for tools and generators" },
  { href: "/ready", name: "Readiness", text: "What a load balancer asks; /ready/delivery tells about messages" },
  { href: "/.well-known/jwks.json", name: "Public keys", text: "To verify access tokens elsewhere" },
];
