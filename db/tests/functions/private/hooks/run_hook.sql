begin;
select plan(21);
select test.clean_slate();
-- The owner calls it; the rest of the world has no right to.
create function pg_temp.run(result text default 'text') returns text language sql
as $$ select private.run_hook('tried', array['text', 'uuid'], run.result, array['it''s', '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01']) $$;
create function pg_temp.hook_that(body text) returns void language plpgsql
as $$ begin
  execute format('create or replace function hook.tried(name text, id uuid) returns text language plpgsql as %L', hook_that.body);
end $$;

select pg_temp.hook_that($$ begin return name || ' ' || id || ' ' || current_user; end $$);
select is(pg_temp.run(), 'it''s 6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01 latchkey_hook', 'a hook gets its arguments, and runs as latchkey_hook');
select is(pg_temp.run('void'), null, 'the answer of one that has none is null');
select pg_temp.hook_that($$ begin return null; end $$);
select is(pg_temp.run(), null, 'null is null');

-- What it may not do.
create function pg_temp.fault(body text) returns text language plpgsql
as $$ begin
  perform pg_temp.hook_that(fault.body);
  return 'none: ' || pg_temp.run();
exception when sqlstate 'HK000' then
  return sqlerrm;
end $$;
select is(pg_temp.fault(body), 'hook.tried failed: ' || message, 'it cannot: ' || body)
from (values
  ($$ begin return count(*) from "user".account; end $$, 'permission denied for schema user'),
  ($$ begin return private.new_id(); end $$, 'permission denied for schema private'),
  ($$ begin return api.check_health(); end $$, 'permission denied for schema api'),
  ($$ begin return set_config('role', 'latchkey_owner', true); end $$, 'cannot set parameter "role" within security-definer function'),
  ($$ begin reset role; return null; end $$, 'cannot set parameter "role" within security-definer function'),
  ($$ begin alter function private.run_hook(text, text[], text, text[]) security invoker; return null; end $$, 'permission denied for schema private'),
  ($$ begin return latchkey.user_id(); end $$, 'permission denied for schema latchkey'),
  ($$ begin create table hook.mine (); return null; end $$, 'permission denied for schema hook')
) f (body, message);
select is(pg_temp.fault($$ begin return 1 / 0; end $$), 'hook.tried failed: division by zero', 'an error names the hook');
select is(pg_temp.fault($$ begin perform pg_sleep(0.6); return ''; end $$), 'hook.tried failed: it took longer than 500 ms', 'so does a hook that took too long')
where current_setting('server_version_num')::integer < 170000;
select pass('from PostgreSQL 17 on the connection ends: tests/hooks/slow_hooks.test.ts') where current_setting('server_version_num')::integer >= 170000;

-- Time-outs are those of before.
set local lock_timeout = '1500ms';
select pg_temp.hook_that($$ begin return current_setting('lock_timeout'); end $$);
select is(pg_temp.run(), '400ms', 'a hook waits less than its time for a lock');
select is(current_setting('lock_timeout'), '1500ms', 'and others as long as before');
set local lock_timeout = '10ms';
select is(pg_temp.run(), '10ms', 'a call that is repeated where a row is locked waits as short as before');
select pg_temp.hook_that($$ begin raise exception 'locked' using errcode = '55P03'; end $$);
select throws_ok($$select pg_temp.run()$$, '55P03', 'locked', 'a locked row fails as it is, where the call is repeated');
select is(pg_temp.fault($$ begin return 1 / 0; end $$), 'hook.tried failed: division by zero', 'another error is the hook''s there, too');
reset lock_timeout;
select is(pg_temp.fault($$ begin raise exception 'locked' using errcode = '55P03'; end $$), 'hook.tried failed: locked', 'and so is a locked row where it is not repeated');
set local lock_timeout = '400ms';
select is(pg_temp.fault($$ begin raise exception 'locked' using errcode = '55P03'; end $$), 'hook.tried failed: locked', 'or had the hook''s own time');
reset lock_timeout;

-- The function must not run as anybody else.
alter function private.run_hook(text, text[], text, text[]) security invoker;
select throws_like($$select pg_temp.run()$$, 'hook.tried failed: private.run_hook does not belong to latchkey_hook%', 'as another role it runs nothing');
select * from finish();
rollback;
