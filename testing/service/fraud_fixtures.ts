import { test as baseTest } from "../fixtures.ts";

/** Tests of the fraud rules: every test starts with their defaults and without decisions. */
export const test = baseTest
  .extend("clearedDecisions", { auto: true }, async ({ gateway, database }) => {
    gateway.behave(200);
    await database.query(`
      update settings.configuration c set value = d.default_value
      from private.setting_definition d where d.key = c.key and d.kind = 'fraud rule';
      delete from platform.rate_limit; delete from platform.otp_transaction;
      delete from platform.send_decision; delete from private.send_count`);
  })
  /** Stores a rule's default with these members. */
  .extend("setRule", ({ service, database }) => async (key: string, members: object) => {
    const [row] = await database.query<{ value: object }>(
      "select default_value as value from private.setting_definition where key = $1",
      [key],
    );
    await service.set(key, { ...row!.value, ...members });
  })
  /** The decisions about sends, the latest first. */
  .extend("decisions", ({ database }) => async () => {
    return database.query<Record<string, unknown>>(
      "select *, at::text from platform.send_decision order by send_decision.at desc, id desc",
    );
  });
