import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";

interface Answer {
  errors?: { message: string; extensions?: { code?: string; retryAfterSeconds?: number } }[];
}

/**
 * Does what sends a GraphQL request from the page, and again while a busy machine takes too long for it, as a person
 * would: the server gives up, or says when to try again, or the page gives up.
 * @throws Error for any other error of the answer
 */
export async function untilInTime(page: Page, send: () => Promise<void>): Promise<void> {
  await eventually("a GraphQL request is answered in time", async () => {
    const sent = page.waitForRequest((request) => request.url().endsWith("/v1/graphql"));
    const [request] = await Promise.all([sent, send()]);
    const response = await request.response();
    if (response === null && request.failure()?.errorText === "net::ERR_ABORTED") return false;
    const { errors } = (await response?.json()) as Answer;
    const isForGood = errors?.some(
      ({ extensions }) => extensions?.code !== "timeout" && extensions?.retryAfterSeconds === undefined,
    );
    if (isForGood) throw new Error(JSON.stringify(errors));
    return errors === undefined;
  });
}
