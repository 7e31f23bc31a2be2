begin;
select plan(4);
-- What it sends is in db/races/table_notifications.test.ts: a notification arrives after the commit.
select is(prosecdef, true, 'whoever may write the table may have it notify') from pg_proc where oid = 'latchkey.notify_change'::regproc;
select is_empty($$select a.grantee from pg_proc p, aclexplode(p.proacl) a where p.oid = 'latchkey.notify_change'::regproc and a.grantee <> p.proowner$$,
  'and only the owner of a table that may make the trigger needs a right to the function');
select throws_ok('select latchkey.notify_change()', '0A000', null, 'it is a trigger');
select has_trigger('settings', 'configuration', 'latchkey_notify_changes', 'of our own tables, settings have it');
select * from finish();
rollback;
