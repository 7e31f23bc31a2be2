begin;
select plan(20);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
-- In this order of precedence. Each has claims of its own.
create temp table source on commit drop as
  select set_name, format(pattern, id) as value
  from (values
    ('latchkey.identity', '00000000-0000-4000-8000-000000000001', null),
    ('request.jwt.claims', '00000000-0000-4000-8000-000000000002', '{"sub": "%1$s", "sid": "%1$s", "role": "guest", "iss": "https://id.example.org", "token_use": "access", "exp": 9999999999}'),
    ('hasura.user', '00000000-0000-4000-8000-000000000003', '{"x-hasura-role": "guest", "x-hasura-session-id": "%s"}')
  ) s (set_name, id, pattern);
create function pg_temp.caller(variadic sources text[]) returns text language plpgsql
as $$
begin
  perform set_config(s.set_name, case when s.set_name = any (sources) then coalesce(s.value, '') else '' end, true) from source s;
  if 'latchkey.identity' = any (sources) then
    perform private.seal_identity('{"sub": "1", "sid": "1", "user_type": "guest"}');
  end if;
  return right(private.caller_claims() ->> 'sub', 1);
end
$$;
select is(private.caller_claims(), null, 'where no source was ever set the caller is nobody');
select is(pg_temp.caller('none'), null, 'nor where all are empty, as after a transaction that had them');
select is(pg_temp.caller('latchkey.identity'), '1', 'what was sealed counts');
select is(pg_temp.caller('request.jwt.claims'), '2', 'the claims of PostgREST count');
select is(pg_temp.caller('hasura.user'), '3', 'the variables of Hasura count');
select is(pg_temp.caller('latchkey.identity', 'request.jwt.claims', 'hasura.user'), '1', 'what was sealed counts before all others');
select is(pg_temp.caller('request.jwt.claims', 'hasura.user'), '2', 'the claims of PostgREST count before the variables of Hasura');

-- A refused source is not replaced by the next one.
select set_config('latchkey.identity', '{"sub": "1", "sid": "1", "user_type": "admin"}', true);
select is(private.caller_claims(), null, 'what somebody else put in the place of sealed claims makes the caller nobody');
select private.seal_identity('{}');
select is(private.caller_claims(), '{}', 'nobody may be sealed, whatever the other sources have');
select set_config('latchkey.identity', '', true);
select is((select private.caller_claims() from (select set_config('request.jwt.claims', text, true)) s), null,
  format('request.jwt.claims that are %s make the caller nobody', text))
from unnest(array[' ', 'null', '[]', 'not JSON', '{"sub": ', '{}', '{"role": "anon"}', '"{}"']) text;
select throws_ok($$select private.caller_claims() from (select set_config('request.jwt.claims', '{not JSON}', true)) s$$, '22P02', null,
  'an object that is no JSON refuses the statement');

-- Whoever logged in as GraphQL's program has no other source, whatever role or function it is in.
select pg_temp.caller('request.jwt.claims', 'hasura.user');
grant execute on function private.caller_claims(), private.postgrest_claims(jsonb), private.token_claims(jsonb), private.hasura_claims(jsonb) to latchkey_graphql;
grant usage on schema private to latchkey_graphql;
set local session authorization latchkey_graphql;
select is(private.caller_claims(), null, 'in a session of latchkey_graphql the other sources do not count');
reset session authorization;
do $$
begin
  if to_regrole('latchkey_graphql_b') is null then
    create role latchkey_graphql_b in role latchkey_graphql;
  end if;
end
$$;
grant usage on schema tap to latchkey_graphql_b;
set local session authorization latchkey_graphql_b;
select is(private.caller_claims(), null, 'nor in one of its second role');
reset session authorization;
select * from finish();
rollback;
