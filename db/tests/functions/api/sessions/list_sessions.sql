begin;
select plan(12);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
-- Ids of one millisecond are in no order: these are.
create temp table fixture on commit drop as
  select name, ('00000000-0000-7000-9000-00000000000' || n)::uuid as id
  from unnest(array['phone', 'laptop', 'tablet', 'revoked', 'expired', 'bob', 'guest']) with ordinality f (name, n);
insert into "user".session (id, user_id, client, user_agent, label)
  select f.id, case f.name when 'bob' then bob when 'guest' then null else alice end, '192.0.2.1', 'agent of ' || f.name, 'label of ' || f.name
  from actor, fixture f;
update "user".session s set revoked_at = clock_timestamp() from fixture f where f.id = s.id and f.name = 'revoked';
update "user".session s set refresh_token_expires_at = clock_timestamp() from fixture f where f.id = s.id and f.name = 'expired';
update "user".session s set rotated_at = s.created_at + interval '1 minute' from fixture f where f.id = s.id and f.name = 'laptop';
create function pg_temp.list(caller text) returns setof private.listed_session language sql
as $$ select l.* from actor, fixture f, api.list_sessions(f.id, alice) a, unnest(a.sessions) l where f.name = caller $$;

select is((select (a.error).code || cardinality(a.sessions) from actor, fixture f,
    test.call_as('latchkey_server', format('api.list_sessions(%L, %L)', f.id, alice), null::api.session_list_answer) a where f.name = 'phone'),
  null, 'the server may call it, and there is no error');
select results_eq($$select label from pg_temp.list('phone')$$, array['label of tablet', 'label of laptop', 'label of phone'],
  'a user sees its live sessions, newest first, and no other');
select results_eq($$select label from pg_temp.list('phone') where current$$, array['label of phone'], 'one of them is the caller''s');
select results_eq($$select label from pg_temp.list('tablet') where current$$, array['label of tablet'], 'and another caller has another one');
select is((select row(client, user_agent)::text from pg_temp.list('phone') where current), '(192.0.2.1,"agent of phone")',
  'client and user agent are listed');
select is((select last_used_at - created_at from pg_temp.list('phone') where label = 'label of laptop'), interval '1 minute',
  'last_used_at is the last refresh');
select is((select last_used_at - created_at from pg_temp.list('phone') where label = 'label of phone'), interval '0',
  'before the first refresh it is the opening');
select is((select (api.list_sessions(f.id, alice)).error.code from actor, fixture f where f.name = 'revoked'), 'SESSION_REVOKED',
  'a revoked session sees no list');
select is((select (a.error).code || coalesce(cardinality(a.sessions), 0) from actor, fixture f, api.list_sessions(f.id, alice) a
    where f.name = 'bob'), 'SESSION_NOT_FOUND0', 'another user''s session sees no list');
select test.set_setting('SESSIONS_PER_USER', '"off"');
insert into "user".session (user_id, label) select alice, 'many' from actor, generate_series(1, 100);
select is((select count(*)::integer from pg_temp.list('phone')), 100, '100 sessions are listed at most');
select is((select count(*)::integer from pg_temp.list('phone') where label = 'many'), 100, 'the newest ones');
delete from "user".session where label = 'many';
update "user".session s set created_at = s.created_at + interval '1 second' from fixture f where f.id = s.id and f.name = 'phone';
select results_eq($$select label from pg_temp.list('phone')$$, array['label of phone', 'label of tablet', 'label of laptop'],
  'newest first means by the time, not by the id');

select * from finish();
rollback;
