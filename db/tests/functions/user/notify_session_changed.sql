begin;
select plan(4);
-- A NOTIFY is delivered after COMMIT, and pgTAP files roll back: the server's tests read the payload, this file checks
-- the triggers.
select trigger_is('user', 'session', t.name::name, 'user', 'notify_session_changed',
  t.event || ' a session calls user.notify_session_changed')
from (values ('notify_session_opened', 'opening'), ('notify_session_revoked', 'revoking'),
  ('notify_session_deleted', 'deleting')) t (name, event);
select set_eq($$select pg_get_triggerdef(oid) ~ 'WHEN' from pg_trigger
    where tgrelid = '"user".session'::regclass and tgname like 'notify%'$$,
  array[true], 'every notify trigger has a condition: creating a guest session and refreshing notify nobody');
select * from finish();
rollback;
