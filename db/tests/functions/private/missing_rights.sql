begin;
select plan(6);
select is(private.missing_rights(), '{}', 'a migrated database lacks nothing');
grant select on "user".account to latchkey_user;
select is(private.missing_rights(), '{}', 'what was granted besides is the DBA''s affair');

revoke execute on function api.log_in from latchkey_server;
drop policy "the worker runs the queue" on graphile_worker._private_jobs;
alter table platform.rate_limit owner to current_user;
select matches(array_to_string(private.missing_rights(), ' + '), '^api\.log_in\(.*\): latchkey_server may execute'
  ' \+ graphile_worker\._private_jobs: policy "the worker runs the queue" for latchkey_worker \+ platform\.rate_limit is owned by latchkey_owner$',
  'what was revoked, dropped or given away is named');
revoke delete on platform.rate_limit from latchkey_admin;
select ok(private.missing_rights() @> array['platform.rate_limit: latchkey_admin may delete'], 'so is a right to a table');
delete from private.granted_right where line !~ '^platform.* is owned';
select is(private.missing_rights(), array['platform.rate_limit is owned by latchkey_owner'], 'but for what a DBA struck off the list');
select private.remember_rights();
select is(private.missing_rights(), '{}', 'and for what the next migration finds');

select * from finish();
rollback;
