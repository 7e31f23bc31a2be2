import type { z } from "zod";
import { parseNamedSecrets, type NamedSecret } from "./named_secrets.ts";

/** A program that may ask whether a token is live, and end its session. */
export type ResourceServer = NamedSecret;

/** Parses RESOURCE_SERVERS. */
export const parseResourceServers = (text: string, context: z.RefinementCtx): ResourceServer[] =>
  parseNamedSecrets(text, context, 100);
