begin;
select plan(4);
-- What a NOTIFY says is heard after its commit only; server/graphql hears it. Here: who causes one at all.
select trigger_is('user', 'session', t.name::name, 'user', 'notify_session_changed', t.what || ' tells the owner''s subscribers')
from (values ('notify_session_opened', 'opening'), ('notify_session_revoked', 'revoking'), ('notify_session_deleted', 'deleting')) t (name, what);
select set_eq($$select pg_get_triggerdef(oid) ~ 'WHEN' from pg_trigger where tgrelid = '"user".session'::regclass and tgname like 'notify%'$$,
  array[true], 'each on a condition: guest creation and refresh tell nobody');
select * from finish();
rollback;
