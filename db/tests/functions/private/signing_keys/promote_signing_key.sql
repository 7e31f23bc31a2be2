begin;
select plan(11);
select test.clean_slate();
delete from private.signing_key;
select matches(private.promote_signing_key(false), '^There is no next key', 'without a next key nothing is promoted');
select private.add_signing_key('a', 'ES256', '\x01', 'k');
select matches(private.promote_signing_key(false), '^Verifiers may not have the next key before', 'a key that was just published is refused');
select is(private.promote_signing_key(true), null, 'unless the operator insists');
select is((select state from private.signing_key where kid = 'a'), 'current', 'it signs');
select private.add_signing_key('b', 'ES256', '\x02', 'k');
update private.signing_key set created_at = created_at - interval '5 minutes 59 seconds' where kid = 'b';
select matches(private.promote_signing_key(false), '^Verifiers may not', 'five minutes are too few, as servers may learn of it late');
update private.signing_key set created_at = created_at - interval '2 seconds' where kid = 'b';
select matches(private.promote_signing_key(false), '^No server has opened the next key', 'a key that no server could sign with is refused');
update private.signing_key set opened_at = clock_timestamp() where kid = 'b';
select is(private.promote_signing_key(false), null, 'after six minutes verifiers have one that a server has opened');
select set_eq($$select kid, state from private.signing_key$$, $$values ('a', 'retired'), ('b', 'current')$$, 'the earlier one is retired');
select set_eq($$select data from platform.event where type = 'setting.changed'$$,
  $$values ('{"key": "signing key", "kid": "a", "state": "current"}'::jsonb), ('{"key": "signing key", "kid": "a", "state": "retired"}'),
    ('{"key": "signing key", "kid": "b", "state": "current"}')$$, 'each is an event');
select ok(verifies_until between now() + interval '30 days' and now() + interval '30 days 10 minutes', 'and verifies as long as a refresh token lives')
from private.signing_key where kid = 'a';
insert into "user".session (id, role, access_token_id, refresh_token_id, access_token_expires_at, refresh_token_expires_at)
  select gen_random_uuid(), 'guest', gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour', now() + interval '60 days';
select private.add_signing_key('c', 'ES256', '\x03', 'k');
select private.promote_signing_key(true);
select ok(verifies_until > now() + interval '60 days', 'or longer, where a token was signed for longer') from private.signing_key where kid = 'b';
select * from finish();
rollback;
