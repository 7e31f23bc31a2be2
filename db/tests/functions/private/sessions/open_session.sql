begin;
select plan(31);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as id;
create temp table guest on commit drop as select * from test.open_session(null);
create temp table member on commit drop as select o.* from account, test.open_session(account.id) o;

select is((select row(user_id, user_type, role)::text from guest), '(,guest,guest)',
  'a session without an account is a guest''s');
select is((select row(user_id, user_type, role)::text from member), (select row(id, 'user', 'user')::text from account),
  'a session with an account is a user''s');
select is((select private.session_answer(s)::text from "user".session s join guest g on g.session_id = s.id),
  (select guest.*::text from guest),
  'the answer has the values of the stored session');
select is((select count(distinct id)::integer from (select access_token_id from guest union all select refresh_token_id from guest
  union all select access_token_id from member union all select refresh_token_id from member) t (id)), 4,
  'every token id is different');
select is((select substr(session_id::text, 15, 1) || substr(access_token_id::text, 15, 1) || substr(refresh_token_id::text, 15, 1)
    from guest),
  '744', 'session ids are time-ordered UUIDs and token ids are random UUIDs');
select is((select test.seconds_until(access_token_expires_at) || ' ' ||
  test.seconds_until(refresh_token_expires_at) from guest), '3600 2592000',
  'both lifetimes come from the settings');
select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60'), test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '120');
create temp table brief on commit drop as select * from test.open_session(null);
select is((select test.seconds_until(access_token_expires_at) || ' ' ||
  test.seconds_until(refresh_token_expires_at) from brief), '60 120',
  'changes of the lifetimes apply to the next session');
select is((select row(previous_refresh_token_id, rotated_at, revoked_at)::text from "user".session s join brief b on b.session_id = s.id),
  '(,,)', 'a new session was neither rotated nor revoked');
select throws_ok('select test.open_session(gen_random_uuid())', '23503', null,
  'opening a session for an account that does not exist raises an error');

-- How the user signed in
select is((select amr from member), array['pwd'], 'the answer says how the user signed in');
select ok((select authenticated_at between now() and clock_timestamp() from member), 'the answer says when the user signed in');
select is((select row(amr, authenticated_at)::text from guest), '(,)', 'a guest did not sign in');

-- The client
create function pg_temp.opened(label text) returns "user".session language plpgsql
as $$
declare
  v_answer api.session_answer := private.open_session(row(null, null, '192.0.2.7', 'a browser', opened.label, null)::private.sign_in);
  v_session "user".session;
begin
  select s.* into v_session from "user".session s where s.id = v_answer.session_id;
  return v_session;
end
$$;
select is((select row(client, user_agent, label)::text from pg_temp.opened('my phone')), '(192.0.2.7,"a browser","my phone")',
  'client, user agent and label are stored');
select test.set_setting('SESSION_CLIENT_DETAILS', '"off"');
select is((select row(client, user_agent, label)::text from pg_temp.opened('my phone')), '(,,"my phone")',
  'without SESSION_CLIENT_DETAILS the label alone is stored');

-- A guest who signs in
create temp table promoted on commit drop as select o.* from account, guest, test.open_session(account.id, guest.session_id) o;
select is((select promoted_session_id from promoted), (select session_id from guest), 'the answer names the guest session that ended');
select is((select promoted_session_id from member), null, 'a user who was no guest has none');
select isnt((select s.revoked_at from "user".session s, guest g where s.id = g.session_id), null, 'the guest''s session is revoked');
select is((select p.user_id from platform.guest_promotion p, guest g where p.guest_session_id = g.session_id), (select id from account),
  'who the guest became is stored');
create temp table again on commit drop as
  select (select count(*) from "user".session) as sessions, o.* from account, guest, test.open_session(account.id, guest.session_id) o;
select is((select (error).code from again), 'SESSION_REVOKED', 'a guest is promoted once');
select is((select session_id from again), null, 'a refused guest gets no session');
select is((select count(*) from "user".session), (select sessions from again), 'and none is stored');

-- An account that was to be deleted
select is((select restored from member), false, 'a user whose account was not to be deleted restores nothing');
select test.make_account('+12025550102');
update "user".account set deletion_due_at = clock_timestamp() + interval '1 hour';
select is((select (o.error).code from account, guest, test.open_session(account.id, guest.session_id) o), 'SESSION_REVOKED', 'a dead guest is refused');
select is((select count(deletion_due_at) from "user".account), 2::bigint, 'and restores nothing');
create temp table restored on commit drop as select o.* from account, test.open_session(account.id) o;
select is((select restored from restored), true, 'signing in restores an account that was to be deleted, and says so');
select is((select array_agg(phone) from "user".account where deletion_due_at is not null), array['+12025550102'], 'that account and no other');

-- An account with a second factor
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550103') as id;
create temp table visitor on commit drop as select session_id as id from test.open_session(null);
select test.make_factor(id) from actor;
create function pg_temp.open(amr text[]) returns setof api.session_answer language sql
as $$ select o.* from actor, visitor, private.open_session(row(actor.id, amr, '192.0.2.1', 'test', null, visitor.id)::private.sign_in) o $$;
select is((select (error).details ->> 'reason' from pg_temp.open(array['pwd'])), 'second_factor_required', 'an account with a second factor is asked for it');
select is((select count(*)::integer from "user".session where user_id is not null), 0, 'and gets no session');
select is(revoked_at, null, 'the guest waits for the second step') from "user".session;
select is((select acr from pg_temp.open(array['hwk', 'user', 'mfa'])), 'aal2', 'who has proved it gets one');
select test.set_setting('SECOND_FACTOR', '"off"');
select isnt((select session_id from test.open_session((select id from actor))), null, 'while nobody is asked, the first step opens it');

select * from finish();
rollback;
