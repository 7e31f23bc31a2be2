begin;
select plan(3);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s;
create function pg_temp.request(identifier text, identifier_type text, purpose text) returns text language sql
as $$ select coalesce((a.error).code, a.otp_id::text) from caller c,
  private.request_identifier_change(test.send_request(identifier, identifier_type, purpose, account_id => c.user_id), c.session_id, test.prehash('correct horse'), null) a $$;
select is(pg_temp.request('+12025550102', 'PHONE', 'PHONE_CHANGE'), (test.otp('+12025550102', 'PHONE_CHANGE')).id::text, 'a code is sent to a phone');
select is(pg_temp.request('ada@example.org', 'EMAIL', 'EMAIL_CHANGE'), (test.otp('ada@example.org', 'EMAIL_CHANGE')).id::text, 'or to an email');
select is((select array_agg(phone) from private.earlier_phone), array['+12025550102'], 'an erasure finds the phone that was asked for by its row');
select * from finish();
rollback;
