begin;
select plan(9);
select is(startup.missing_rights(), '{}', 'missing_rights returns an empty array after a migration');
grant select on "user".account to latchkey_user;
select is(startup.missing_rights(), '{}', 'a right that was granted in addition is not reported');

drop index "user".session_user_id;
select is(startup.missing_rights(), '{}', 'what is no right is not reported: a process starts without it');

revoke execute on function api.log_in from latchkey_server;
drop policy "the worker runs the queue" on graphile_worker._private_jobs;
alter table platform.rate_limit owner to current_user;
select matches(array_to_string(startup.missing_rights(), ' + '), '^api\.log_in\(.*\): latchkey_server may execute'
  ' \+ graphile_worker\._private_jobs: policy "the worker runs the queue" for latchkey_worker \+ platform\.rate_limit is owned by latchkey_owner$',
  'a revoked right, a dropped policy and a changed owner are reported');
revoke delete on platform.rate_limit from latchkey_admin;
select ok(startup.missing_rights() @> array['platform.rate_limit: latchkey_admin may delete'],
  'a revoked right to a table is reported');
delete from private.catalog_line where line !~ '^platform.* is owned';
select is(startup.missing_rights(), array['platform.rate_limit is owned by latchkey_owner'],
  'a missing right whose line a DBA has deleted is not reported');
select private.remember_catalog();
select is(startup.missing_rights(), '{}', 'a missing right is not reported after the next migration');

select is(test.call_as(role, 'startup.missing_rights()', null::text[]), '{}', role || ' may call it')
from (values ('latchkey_server'), ('latchkey_worker')) r (role);

select * from finish();
rollback;
