begin;
select plan(9);
select test.clean_slate();
create function pg_temp.delivery(phone text default '+12025550101', purpose text default 'LOGIN') returns text language sql
as $$ select (private.current_otp('PHONE', phone, purpose)).delivery $$;
create temp table first on commit drop as select (private.queue_otp('+12025550101', 'LOGIN', true, clock_timestamp())).id;

select is((private.current_otp('PHONE', '+12025550101', 'LOGIN')).id, null, 'a one-time password not delivered is not current');
update platform.otp_transaction set current_since = clock_timestamp();
select is((private.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first), 'one delivered is');
create temp table second on commit drop as select (private.queue_otp('+12025550101', 'LOGIN', true, clock_timestamp())).id;
select is((private.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first), 'a newer one not delivered leaves it so');
update platform.otp_transaction set current_since = clock_timestamp() where current_since is null;
select is((private.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from second), 'once delivered the newer one replaces it');
update platform.otp_transaction set current_since = clock_timestamp() where id = (select id from first);
select is((private.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first), 'what counts is the delivery, not the creation');
select is((private.current_otp('PHONE', '+12025550101', 'SIGNUP')).id, null, 'each purpose has its own');
select is((private.current_otp('PHONE', '+12025550102', 'LOGIN')).id, null, 'so has each identifier');
select is((private.current_otp('EMAIL', '+12025550101', 'LOGIN')).id, null, 'of its type');
update platform.otp_transaction set verified_at = now(), expires_at = now(), attempts = 5;
select is((private.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first), 'used, expired or blocked it is still the current one');

select * from finish();
rollback;
