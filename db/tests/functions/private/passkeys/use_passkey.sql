begin;
select plan(21);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select test.make_passkey(id, '\x01', 7), test.make_passkey(other, '\x02') from actor;
create function pg_temp.use(signed_count bigint, credential_id bytea default '\x01', is_signed boolean default true, flags integer default 5, user_handle bytea default null)
returns text[] language sql
as $$
  select private.use_passkey(
    private.lock_account_to_tell(actor.id),
    row(use.credential_id, test.authenticator_data(signed_count, flags), use.user_handle, use.is_signed)::private.passkey_attempt, '{de}', '192.0.2.1'
  )
  from actor
$$;
create function pg_temp.told() returns text[] language sql
as $$ select array_agg(t.purpose || t.identifier || t.languages::text) from platform.otp_transaction t $$;
select is(pg_temp.use(8, is_signed => false), null, 'a wrong signature proves nothing');
select is(pg_temp.use(8, is_signed => null), null, 'nor one that nobody verified');
select is(pg_temp.use(8, '\x02'), null, 'nor another''s passkey');
select is(pg_temp.use(8, '\x03'), null, 'nor an unknown one');
select is(pg_temp.use(8, user_handle => uuid_send(other)), null, 'nor one that names another user') from actor;
select is(pg_temp.use(8, flags => 13), null, 'nor one that may suddenly be copied');
select is((select sign_count from "user".factor where credential_id = '\x01'), 7::bigint, 'and nothing is counted');
select is((select counter_went_back_at from "user".factor where credential_id = '\x01'), null, 'nor suspected');
update "user".account set factor_failures = 100;
select is(pg_temp.use(8, user_handle => uuid_send(id)), array['hwk', 'user'], 'a right one says how') from actor;
select is((select sign_count from "user".factor where credential_id = '\x01'), 8::bigint, 'its count is remembered');
select ok((select last_used_at > now() from "user".factor where credential_id = '\x01'), 'with the time');
select results_eq('select factor_failures from "user".account order by phone', 'values (0), (100)', 'and it opens the account''s locked factors');
select is(pg_temp.told(), null, 'and nobody is told anything');
select is(pg_temp.use(8), null, 'the same count again is refused');
select ok((select counter_went_back_at > now() from "user".factor where credential_id = '\x01'), 'and remembered');
select is(pg_temp.use(0), null, 'one that has counted does not stop counting');
select is(pg_temp.told(), '{"FACTORS_CHANGED+12025550101{de}"}', 'the phone is told once, in the language of the request');
select is(pg_temp.use(9, flags => 1), array['hwk'], 'nobody verified its user');
select pg_temp.use(9);
select is(cardinality(pg_temp.told()), 2, 'and again after it was used rightly');
update "user".factor set sign_count = 0, is_backup_eligible = true where credential_id = '\x01';
select is(pg_temp.use(0, flags => 29), array['swk', 'user'], 'one that never counts is good again and again');
select ok((select is_synced from "user".factor where credential_id = '\x01'), 'whether it was copied is remembered');
select * from finish();
rollback;
