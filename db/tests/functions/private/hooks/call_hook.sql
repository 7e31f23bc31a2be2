begin;
select plan(7);
create function pg_temp.call() returns text language sql as $$ select private.call_hook('tried', array['uuid', 'text'], 'text', null, 'a') $$;
select is(pg_temp.call(), null, 'a hook that does not exist is not called');
create function public.tried(id uuid, name text) returns text language sql as $$ select 'called' $$;
select is(pg_temp.call(), null, 'nor is a function of another schema');
create function hook.tried(id uuid, name text) returns text language sql as $$ select coalesce(id::text, 'null') || ' ' || name $$;
select is(pg_temp.call(), 'null a', 'one that exists is called');
create or replace function hook.tried(id uuid, name text) returns text language sql as $$ select 'replaced' $$;
select is(pg_temp.call(), 'replaced', 'one that is replaced counts at once');
create function hook.tried(id uuid) returns text language sql as $$ select 'other' $$;
select throws_like('select pg_temp.call()', 'hook.tried failed: it must be hook.tried(uuid,text) returns text, and there is hook.tried(uuid%', 'two of its name are a fault');
drop function hook.tried(uuid, text);
select throws_ok('select pg_temp.call()', 'HK000', 'hook.tried failed: it must be hook.tried(uuid,text) returns text, and there is hook.tried(uuid) returns text',
  'one with other arguments is a fault, and not ignored');
drop function hook.tried(uuid);
select is(pg_temp.call(), null, 'one that is dropped is not called any more');
select * from finish();
rollback;
