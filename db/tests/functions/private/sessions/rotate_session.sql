begin;
select plan(10);
select test.clean_slate();
select test.open_session(null);
update "user".session set access_token_expires_at = now(), refresh_token_expires_at = now() + interval '1 day';
create temp table before on commit drop as select * from "user".session;
create temp table hot on commit drop as
  select pg_stat_get_xact_tuples_updated('"user".session'::regclass) - pg_stat_get_xact_tuples_hot_updated('"user".session'::regclass) as others;
create temp table answer on commit drop as select r.* from "user".session s, private.rotate_session(s, '192.0.2.9', 'another') r;
create temp table after on commit drop as select * from "user".session;

select is(pg_stat_get_xact_tuples_updated('"user".session'::regclass) - pg_stat_get_xact_tuples_hot_updated('"user".session'::regclass),
  (select others from hot), 'a rotation is a HOT update: no index has what it changes');
select is((select private.session_answer(s)::text from "user".session s), (select answer.*::text from answer),
  'the answer has the values of the stored session');
select ok((select a.access_token_id <> b.access_token_id and a.refresh_token_id <> b.refresh_token_id from after a, before b),
  'both token ids are replaced');
select is((select a.previous_refresh_token_id from after a), (select refresh_token_id from before),
  'the id of the replaced refresh token is stored');
select ok((select rotated_at between now() and clock_timestamp() from after), 'rotated_at is the current time');
select is((select test.seconds_until(access_token_expires_at) || ' ' ||
  test.seconds_until(refresh_token_expires_at) from after), '3600 2592000',
  'both lifetimes start again');
select is((select row(a.id, a.user_id, a.user_type, a.role, a.created_at, a.revoked_at)::text from after a),
  (select row(b.id, b.user_id, b.user_type, b.role, b.created_at, b.revoked_at)::text from before b),
  'id, user, role, created_at and revoked_at stay');

select is((select row(a.client, a.user_agent)::text from after a), '(192.0.2.9,another)', 'the stored client is the one that the new tokens were issued to');
select test.set_setting('SESSION_CLIENT_DETAILS', '"off"');
select r.session_id from "user".session s, private.rotate_session(s, '192.0.2.9', 'another') r;
select is((select row(s.client, s.user_agent)::text from "user".session s), '(,)', 'SESSION_CLIENT_DETAILS off erases it at the next refresh');
select test.set_setting('SESSION_MAX_SECONDS', '7200');
update "user".session set created_at = now() - interval '90 minutes';
select is((select test.seconds_until(r.refresh_token_expires_at) from "user".session s,
  private.rotate_session(s, '192.0.2.9', 'another') r), 1800, 'SESSION_MAX_SECONDS counts from the opening');

select * from finish();
rollback;
