begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select test.make_passkey(id, '\x01'), test.make_passkey(other, '\x02') from actor;
create function pg_temp.asked(credential_id bytea, is_signed boolean default null) returns api.error language sql
as $$
  select private.user_passkey_check_error(
    row(null, 'login', actor.id, null, null, null, '\xfbff', 0, now(), now(), null)::private.factor_challenge,
    row(credential_id, '', null, is_signed)::private.passkey_attempt
  ) from actor
$$;
select is(pg_temp.asked(null), null, 'where no passkey answers nothing is asked');
select is((pg_temp.asked('\x01')).details ->> 'public_key', 'a5', 'of the user''s passkey the key is named');
select is((pg_temp.asked('\x02')).details -> 'public_key', 'null', 'of another''s none');
select is(pg_temp.asked('\x01', false), null, 'with the verdict nothing is asked');
select * from finish();
rollback;
