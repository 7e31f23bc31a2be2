begin;
select plan(3);
select test.clean_slate();
select test.open_session(test.make_account('+12025550101'));
select is((select private.session_answer(s)::text from "user".session s),
  (select row(null, s.id, s.user_id, s.user_type, s.role, s.access_token_id, s.access_token_expires_at, s.refresh_token_id,
    s.refresh_token_expires_at, s.amr, s.authenticated_at, null, false, false, null, 'aal1')::text from "user".session s),
  'an answer has the session''s user, role, token ids, expiry times and how its user signed in');
select is((select count(*)::integer from "user".session s, jsonb_object_keys(to_jsonb(private.session_answer(s)))), 16,
  'an answer has no other columns');
create function hook.claims(user_id uuid, session_id uuid) returns jsonb language sql
as $$ select jsonb_build_object('of', array[user_id, session_id]) $$;
select is((select (private.session_answer(s)).claims from "user".session s),
  (select jsonb_build_object('of', array[s.user_id, s.id]) from "user".session s), 'its claims are those of the hook');

select * from finish();
rollback;
