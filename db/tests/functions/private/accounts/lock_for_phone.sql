begin;
select plan(2);
select test.clean_slate();
select test.make_account('+12025550101');
insert into platform.rate_limit (key) values ('LOGIN_FAILURES_PER_PHONE:+12025550101'), ('LOGIN_FAILURES_PER_PHONE:+12025550102');
select is((select (private.lock_for_phone(id, '+12025550102')).phone from "user".account), '+12025550101', 'the account is returned');
select is((select array_agg(key) from platform.rate_limit), array['NOTICES_PER_IDENTIFIER:+12025550101'], 'failed logins of both phones are forgotten, and the limit of notices is locked');
select * from finish();
rollback;
