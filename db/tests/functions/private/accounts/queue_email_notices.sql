begin;
select plan(3);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.notices() returns text[] language sql
as $$ select array_agg(identifier_type || ' ' || identifier order by identifier) from platform.otp_transaction where purpose = 'EMAIL_CHANGED' $$;
select private.queue_email_notices(a, '{}', '192.0.2.1') from "user".account a;
select is(pg_temp.notices(), array['PHONE +12025550101'], 'the phone is told');
delete from platform.otp_transaction;
update "user".account set email_verified_at = now();
select private.queue_email_notices(a, '{}', '192.0.2.1') from "user".account a;
select is(pg_temp.notices(), array['PHONE +12025550101', 'EMAIL someone@example.org'], 'so is a verified email');
delete from platform.otp_transaction;
select test.set_setting('NOTICES_PER_IDENTIFIER', '"1/3600"');
select private.queue_email_notices(a, '{}', '192.0.2.1') from "user".account a;
select is(pg_temp.notices(), null, 'not over NOTICES_PER_IDENTIFIER, of the phone and of the account');
select * from finish();
rollback;
