begin;
select plan(5);
select test.clean_slate();
create temp table session on commit drop as select s.session_id as id from test.open_session(test.make_account('+12025550101')) s;
create function pg_temp.try(amr text[], at timestamptz default now()) returns text language plpgsql
as $$ begin
  update "user".session set amr = try.amr, authenticated_at = try.at;
  return (select concat_ws(' ', c.is_right, (c.error).details ->> 'reason') from session s, private.check_email_sign_in(s.id) c);
end $$;
select is(pg_temp.try('{otp}'), 't', 'a session that a code by email opened');
select is(pg_temp.try('{otp,mfa}'), 't', 'also with a second factor');
select is(pg_temp.try('{sms,otp,mfa}'), 'recent_sign_in_required', 'not one that a code by SMS opened');
select is(pg_temp.try('{pwd}'), 'recent_sign_in_required', 'nor one that a password opened');
select is(pg_temp.try('{otp}', now() - interval '10 minutes'), 'recent_sign_in_required', 'nor ten minutes later');
select * from finish();
rollback;
