import { ofAccounts } from "./accounts.ts";
import { ofCodes } from "./codes.ts";
import type { Descriptions } from "./description.ts";
import { ofFactors } from "./factors.ts";
import { ofSessions } from "./sessions.ts";

/** What the OpenAPI document says of each route: a summary, and what a client has to know besides its schemas. */
export const descriptions: Descriptions = { ...ofSessions, ...ofAccounts, ...ofFactors, ...ofCodes };
