begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
update "user".account set email = 'ada@example.org';
create function pg_temp.after(identifier text, due_at timestamptz default now()) returns text language plpgsql
as $$ begin
  update "user".account set phone = '+12025550101';
  delete from private.phone_recovery;
  insert into private.phone_recovery select id, '+12025550103', gen_random_uuid(), now(), due_at from "user".account;
  perform private.apply_phone_changes(identifier);
  return (select phone from "user".account);
end $$;
select is(pg_temp.after('+12025550103'), '+12025550103', 'a sign-in by the new phone applies a change that is due');
select is(pg_temp.after('+12025550101'), '+12025550103', 'so does one by the old phone');
select is(pg_temp.after('ada@example.org'), '+12025550103', 'and one by the email');
select is(pg_temp.after('+12025550109'), '+12025550101', 'not one by another name');
select is(pg_temp.after('+12025550103', now() + interval '1 hour'), '+12025550101', 'nor before it is due');
update "user".account set disabled_at = now(), disabled_reason = 'spam';
insert into platform.rate_limit (key) values ('LOGIN_FAILURES_PER_PHONE:+12025550101');
select pg_temp.after('+12025550101');
select is((select array_agg(key) from platform.rate_limit where key like 'LOGIN%'), array['LOGIN_FAILURES_PER_PHONE:+12025550101'],
  'failed logins to a disabled account stay counted');
select * from finish();
rollback;
