begin;
select plan(22);
create function pg_temp.claims() returns jsonb language sql
as $$ select private.hook_claims(null, '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01') $$;
create function pg_temp.hook_returns(claims text) returns void language plpgsql
as $$ begin
  execute format('create or replace function hook.claims(user_id uuid, session_id uuid) returns jsonb language sql as %L', 'select ' || claims);
end $$;
select is(pg_temp.claims(), null, 'without a hook there are no claims');
select pg_temp.hook_returns('null::jsonb');
select is(pg_temp.claims(), null, 'null adds none');
select pg_temp.hook_returns($$jsonb_build_object('plan', 'pro', 'roles', array['editor'], 'of', session_id, 'user', user_id)$$);
select is(pg_temp.claims(), '{"plan": "pro", "roles": ["editor"], "of": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "user": null}', 'claims are what it returns');
select pg_temp.hook_returns($$jsonb_build_object('a', repeat('x', 2048 - 9))$$);
select is(octet_length(pg_temp.claims()::text), 2048, '2 KiB are allowed');
select pg_temp.hook_returns($$jsonb_build_object('a', repeat('ü', 1024 - 4))$$);
select throws_ok('select pg_temp.claims()', 'HK000', 'hook.claims failed: it returned 2049 bytes, and 2048 are allowed', 'one byte more is a fault');
create function pg_temp.fault(claims text) returns text language plpgsql
as $$ begin
  perform pg_temp.hook_returns(quote_literal(fault.claims) || '::jsonb');
  return pg_temp.claims();
exception when sqlstate 'HK000' then
  return sqlerrm;
end $$;
select is(pg_temp.fault(format('{"plan": "pro", "%s": "x"}', name)), format('hook.claims failed: it must not return the claim %s', name), name || ' is registered')
from unnest(array['sub', 'sid', 'role', 'exp', 'https://hasura.io/jwt/claims', 'user_id', 'user-id', 'token_use', 'User_Id', 'ROLE']) name;
select is(pg_temp.fault('{"sub": 1, "exp": 1, "a": 1}'), 'hook.claims failed: it must not return the claim exp', 'of several the first is named');
select is(pg_temp.fault(claims), 'hook.claims failed: it must return an object', claims || ' is no object') from unnest(array['[]', '"sub"', 'null']) claims;
select is(pg_temp.fault(format('{"roles": %s}', roles)), 'hook.claims failed: claim roles must be an array of names', roles || ' are no roles')
from unnest(array['"editor"', '[1]', '["a,b"]']) roles;
select * from finish();
rollback;
