begin;
select plan(7);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
create function pg_temp.blocks() returns text[] language sql as $$
  select array_agg(b.what order by b.what) from actor, private.explain_blocks(alice) b
$$;

select is(pg_temp.blocks(), null, 'nothing refuses an account');
select test.set_setting('LOGINS_PER_PHONE', '"2/3600"'), test.set_setting('OTP_SEND_PER_IDENTIFIER', '"2/60"');
select test.insert_hits('LOGINS_PER_PHONE:' || alice, now()), test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now(), now()),
  test.insert_hits('OTP_SEND_PER_IDENTIFIER:a@example.com', now(), now()) from actor;
select is(pg_temp.blocks(), array['OTP_SEND_PER_IDENTIFIER refuses the account''s phone now.'], 'a limit that is reached does, one with room does not');
select ok((select b.details from actor, private.explain_blocks(alice) b)
  ~ '^2 of 2 in 60 seconds are counted, until [-0-9]{10} [:0-9]{8} UTC; clear_limits forgets them$', 'with what it counts, and until when');
update "user".account set email = 'a@example.com';
select is(pg_temp.blocks(), array['OTP_SEND_PER_IDENTIFIER refuses the account''s email now.', 'OTP_SEND_PER_IDENTIFIER refuses the account''s phone now.'],
  'and that of its email');
delete from platform.rate_limit where key like 'LOGINS%';
select test.insert_hits('LOGINS_PER_PHONE:' || alice, now(), now()) from actor;
select is((pg_temp.blocks())[1], 'LOGINS_PER_PHONE refuses the account''s id now.', 'and of its id');
delete from platform.rate_limit;
select test.set_setting('OTP_VERIFY_LIMIT', '"1/60"'), test.insert_hits('OTP_VERIFY_LIMIT:+12025550101 LOGIN 192.0.2.1', now());
select ok((select b.details like 'for LOGIN 192.0.2.1: 1 of 1 in 60 seconds are counted, until %' from actor, private.explain_blocks(alice) b), 'a limit for one client names it');
delete from "user".account;
select is(pg_temp.blocks(), null, 'nothing is known of an account that is erased');

select * from finish();
rollback;
