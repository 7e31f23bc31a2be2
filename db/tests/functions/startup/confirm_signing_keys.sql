begin;
select plan(3);
select test.clean_slate();
delete from private.signing_key;
select private.add_signing_key('a', 'ES256', '\x01', 'k'), private.promote_signing_key(true), private.add_signing_key('b', 'ES256', '\x02', 'k');
select test.call_as('latchkey_server', $call$startup.confirm_signing_keys(array['b', 'unknown'])$call$, null::text);
select set_eq('select k.kid from private.signing_key k where k.opened_at is not null', array['b'], 'a server says which keys it has opened');
update private.signing_key set opened_at = '2026-01-31 13:05:00Z' where kid = 'b';
select startup.confirm_signing_keys(array['a', 'b']);
select is((select k.opened_at from private.signing_key k where k.kid = 'b'), '2026-01-31 13:05:00Z', 'the first time counts');
select ok((select k.opened_at is not null from private.signing_key k where k.kid = 'a'), 'of each');

select * from finish();
rollback;
