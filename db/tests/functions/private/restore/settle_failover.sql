begin;
select plan(5);
select test.clean_slate();
insert into private.installation (is_one) values (true) on conflict do nothing;
update private.installation set sessions_refresh_after = null;
create temp table own on commit drop as
  select session_id, user_id, test.send_code('+12025550101', 'LOGIN') as code from test.open_session(test.make_account('+12025550101'));
update private.installation set marked_at = '2026-01-01', origin.timeline = 99;
select private.settle_failover();
select is((private.check_otp(test.attempt('PHONE', '+12025550101', 'LOGIN', code))).error, private.error('OTP_EXPIRED'), 'codes are void') from own;
select is(private.user_session_error(session_id, user_id), null, 'sessions go on without a refresh') from own;
select is(private.restore_kind(), null, 'it is settled');
select ok(marked_at > now() - interval '1 hour', 'and marked') from private.installation;
select results_eq($$select at, is_failover from private.restore$$, $$values ('2026-01-01'::timestamptz, true)$$, 'and recorded');

select * from finish();
rollback;
