import { z } from "zod";

export const id = z.uuid();
export const sessionId = id.meta({ description: "The session: claim sid of its tokens." });
export const time = z.iso.datetime({ precision: 3 });
export const accessTokenEnd = time.meta({ description: "When the access token ends." });
export const refreshTokenEnd = time.meta({
  description: "When the refresh token ends, and the session with it unless it is refreshed.",
});
export const role = z.enum(["guest", "user"]).meta({ description: "Whose session it is." });
export const userRole = role.meta({ examples: ["user"] });

export const toTimeOrNull = (value: string | null): string | null => (value === null ? null : toTime(value));
export const toTime = (value: string): string => new Date(value).toISOString();
