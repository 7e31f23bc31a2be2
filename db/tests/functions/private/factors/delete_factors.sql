begin;
select plan(7);
select test.clean_slate();
create temp table own on commit drop as
  select a as user_id, test.make_factor(a) as one, test.make_factor(a) as other from test.make_account('+12025550101') a;
select test.make_account('+12025550102');
select private.make_recovery_codes(user_id, test.code_key()) from own;
select is((select count(*)::integer from own, private.delete_factors((select a from "user".account a where a.id <> user_id), array[one], '{}', '')), 0, 'another user removes none');
select is((select f.id from own, private.delete_factors((select a from "user".account a where a.id = user_id), array[one], '{}', '') f), one, 'a factor is removed') from own;
select is((select count(*)::integer from private.recovery_code), 10, 'recovery codes stay with the other one');
select test.make_factor(user_id, false) from own;
select private.delete_factors((select a from "user".account a where a.id = user_id), array[other], '{}', '') from own;
select is((select count(*)::integer from private.recovery_code), 0, 'and go with the last confirmed one');
select is((select count(*)::integer from "user".factor), 1, 'one that waits for its first code stays');
select is((select count(*)::integer from platform.otp_transaction where purpose = 'FACTORS_CHANGED'), 2, 'the phone is told of each');
select private.delete_factors((select a from "user".account a where a.id = user_id), array(select id from "user".factor), '{}', '') from own;
select is((select count(*)::integer from platform.otp_transaction), 2, 'and not of one that nobody confirmed');

select * from finish();
rollback;
