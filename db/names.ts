/** Our schemas, apart from those of the extension and of the queue. */
export const schemas = ["private", "api", "delivery", "startup", "user", "platform", "settings", "fraud", "latchkey"];

/** What a GraphQL request runs as. */
export const graphqlRoles = ["latchkey_guest", "latchkey_user", "latchkey_admin"];

/** Everyone to whom a file below db/ may grant something, and PUBLIC. */
export const grantees = [
  "latchkey_server",
  "latchkey_graphql",
  "latchkey_worker",
  ...graphqlRoles,
  "latchkey_application",
  "latchkey_hook",
  "public",
];
