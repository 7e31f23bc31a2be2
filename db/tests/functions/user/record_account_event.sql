begin;
select plan(16);
select test.clean_slate();
create function pg_temp.events_of(change text) returns text[] language plpgsql as $$
begin
  perform test.forget_events();
  execute events_of.change;
  return test.events();
end
$$;

select is(pg_temp.events_of($$select test.make_account('+12025550101')$$), array['account.verified'], 'an account that is made is an event');
select is((select e.user_id from platform.event e), (select a.id from "user".account a), 'which names it');
select is(pg_temp.events_of('update "user".account set ' || change), events, change)
from (values
  ('phone = ''+12025550102''', array['phone.changed']),
  ('email = ''a@example.com''', array['email.changed {"is_verified": false}']),
  ('email_verified_at = now()', array['email.changed {"is_verified": true}']),
  ('email = null, email_verified_at = null', array['email.removed']),
  ('disabled_at = now(), disabled_reason = ''fraud''', array['account.disabled']),
  ('disabled_at = null, disabled_reason = null', array['account.enabled']),
  ('deletion_due_at = ''2031-01-01 00:00Z''', array['account.deleted {"due_at": "2031-01-01T00:00:00+00:00"}']),
  ('deletion_due_at = null', array['account.restored']),
  ('factor_failures = 99', '{}'),
  ('factor_failures = 100', array['factor.locked']),
  ('factor_failures = 0', array['factor.unlocked']),
  ('phone = null', array['phone.changed {"is_removed": true}']),
  ('updated_at = now()', '{}')
) c (change, events);
select is(pg_temp.events_of('delete from "user".account'), array['account.erased'], 'and one that is erased');

select * from finish();
rollback;
