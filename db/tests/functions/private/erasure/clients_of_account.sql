begin;
select plan(2);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select private.remember_client(id, '192.0.2.10') from actor;
select private.open_session(row(id, array['pwd'], '192.0.2.11', null, null, null)::private.sign_in) from actor;
select private.open_session(row(id, array['pwd'], '192.0.2.11', null, null,
  (private.open_session(row(null, null, '192.0.2.12', null, null, null)::private.sign_in)).session_id)::private.sign_in) from actor;
select test.make_decision(jsonb_build_object('otp_id', (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now())).id, 'client', '192.0.2.13'));
select test.make_decision(jsonb_build_object('otp_id', (test.queue_otp('+12025550102', 'PHONE', 'LOGIN', true, now())).id, 'client', '192.0.2.14'));
select test.make_decision(jsonb_build_object('otp_id', (test.queue_otp('+12025550102', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => id)).id,
  'client', '192.0.2.16')), test.make_account('+12025550102') from actor;
select private.open_session(row(null, null, '192.0.2.15', null, null, null)::private.sign_in);
select is(private.clients_of_account(a), array['192.0.2.10', '192.0.2.11', '192.0.2.12', '192.0.2.13', '192.0.2.16'],
  'the addresses of an account are those it signed in from, also as a guest, and asked for codes from') from "user".account a where a.phone = '+12025550101';
select is(private.clients_of_account(null), '{}', 'no account has none');
select * from finish();
rollback;
