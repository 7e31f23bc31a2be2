begin;
select plan(5);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create temp table caller on commit drop as select s.session_id, s.user_id, a.phone from "user".account a, test.open_session(a.id) s;
create function pg_temp.replace(of_phone text, email text) returns api.error language sql
as $$ select private.replace_email(session_id, user_id, email, '{}', '192.0.2.1') from caller where phone = of_phone $$;
select is(pg_temp.replace('+12025550101', 'ada@example.org'), null, 'an account gets the email');
select is((pg_temp.replace('+12025550102', 'ada@example.org')).details ->> 'reason', 'already_registered', 'no second one does');
select is((select count(*)::integer from "user".account where email = 'ada@example.org' and email_verified_at is not null), 1, 'it is verified once');
update "user".account set phone = null where phone = '+12025550101';
select is(pg_temp.replace('+12025550101', 'ada.new@example.org'), null, 'an account without a phone may have one');
select is((select array_agg(identifier order by id) from platform.otp_transaction where purpose = 'EMAIL_CHANGED'), array['+12025550101', 'ada@example.org'], 'of which only the earlier email is told');
select * from finish();
rollback;
