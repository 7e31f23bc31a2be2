begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
-- Without triggers, which give each session the present time.
create function pg_temp.sign_in(at timestamptz, amr text[], number integer default 1, is_guest boolean default false) returns void language plpgsql as $$
begin
  set local session_replication_role = replica;
  insert into "user".session (
    id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, created_at, amr
  )
  select overlay(gen_random_uuid()::text placing left(private.first_id(sign_in.at)::text, 13) from 1 for 13)::uuid, case when not is_guest then a.id end,
    case when is_guest then 'guest' else 'user' end, case when is_guest then 'guest' else 'user' end, gen_random_uuid(), now(), gen_random_uuid(), now(), sign_in.at, sign_in.amr
  from "user".account a, generate_series(1, sign_in.number);
  set local session_replication_role = origin;
end
$$;
create function pg_temp.hours(from_at timestamptz, to_at timestamptz) returns setof text language sql as $$
  select concat_ws(' ', to_char(s.hour at time zone 'UTC', 'DD HH24'), array_to_string(s.amr, '+'), s.sign_ins) from platform.sign_ins_by_hour(from_at, to_at) s $$;

select pg_temp.sign_in('2026-03-04T10:15Z', '{pwd}', 2), pg_temp.sign_in('2026-03-04T10:59Z', '{pwd,otp,mfa}'), pg_temp.sign_in('2026-03-04T11:00Z', '{otp,sms}'),
  pg_temp.sign_in('2026-03-04T10:20Z', null), pg_temp.sign_in('2026-03-04T10:20Z', null, 1, true);
select results_eq($$select pg_temp.hours('2026-03-04T10:30Z', '2026-03-04T12:00Z')$$, array['04 10 pwd 2', '04 10 pwd+otp+mfa 1', '04 11 otp+sms 1'],
  'sign-ins are counted by hour and method, and neither guests'' sessions nor those that an admin opened');
select results_eq($$select pg_temp.hours('2026-03-04T10:00Z', '2026-03-04T11:00Z')$$, array['04 10 pwd 2', '04 10 pwd+otp+mfa 1'], 'the period ends before to_at');
select is_empty($$select pg_temp.hours('2026-03-04T10:00Z', '2026-03-20T11:00Z')$$, 'a period of more than eight days begins later');
select is_empty($$select pg_temp.hours(null, null)$$, 'without a period there is nothing');
select is((test.call_as('latchkey_admin', $$platform.sign_ins_by_hour('2026-03-04T11:00Z', '2026-03-04T12:00Z')$$, null::platform.sign_ins_in_hour)).sign_ins,
  1, 'the admin may read it');
select pg_temp.sign_in('2026-03-05T10:00Z', null, 100000, true);
select is_empty($$select pg_temp.hours('2026-03-04T10:00Z', '2026-03-06T00:00Z')$$, 'it reads the latest 100,000 sessions, however many there are');

select * from finish();
rollback;
