begin;
select plan(12);
select test.clean_slate();
create temp table actor on commit drop as select gen_random_uuid() as alice, gen_random_uuid() as session_id;

select private.record_event('session.opened', alice, session_id, '{"amr": ["pwd"], "label": null}', '192.0.2.1') from actor;
select is((select row(e.type, e.user_id, e.session_id, e.client, e.data)::text from platform.event e),
  (select row('session.opened', alice, session_id, '192.0.2.1', jsonb '{"amr": ["pwd"]}')::text from actor), 'an event holds what happened, without members that are null');
select ok((select e.at between now() and clock_timestamp() and private.first_id(e.at) <= e.id from platform.event e), 'and when, of which its id has the month');
select is((select row(e.position, e.hash)::text from platform.event e),
  (select row(1, private.event_hash(decode(repeat('00', 32), 'hex'), e))::text from platform.event e), 'the first of a lane follows on zeros');
select is((select row(l.position, l.hash)::text from private.event_lane l join platform.event e using (lane)),
  (select row(e.position, e.hash)::text from platform.event e), 'the lane ends with it');

select private.record_event('session.revoked', alice) from actor;
select is((select row(e.position, e.hash)::text from platform.event e where e.type = 'session.revoked'),
  (select row(2, private.event_hash(f.hash, e))::text from platform.event e, platform.event f where e.type = 'session.revoked' and f.type = 'session.opened'),
  'the next one of the transaction follows on it, in its lane');
select throws_ok($$select private.record_event('session.closed', null)$$, 'P0001', 'there is no type of event session.closed', 'a type that is not listed is refused');
select private.record_event('otp.blocked', null, null, '{}', '192.0.2.1');
select is((select e.client from platform.event e where e.type = 'otp.blocked'), null, 'an address is kept for accounts alone');
select test.set_setting('SESSION_CLIENT_DETAILS', '"off"');
select private.record_event('otp.refused', alice, null, '{}', '192.0.2.1') from actor;
select is((select e.client from platform.event e where e.type = 'otp.refused'), null, 'no address is kept while SESSION_CLIENT_DETAILS is off');
do $$ begin
  perform private.record_event('password.reset', null);
  raise exception 'rolled back' using errcode = 'XX000';
exception when internal_error then null;
end $$;
select is_empty($$select from platform.event where type = 'password.reset'$$, 'what was rolled back did not happen');
select private.record_event('password.changed', null);
select is_empty('select * from platform.verify_events()', 'and leaves no gap');


set local latchkey.request to '{"request_id": "one"}';
select private.record_event(t.type, null, null, '{"by": "a test"}') from unnest(private.refusal_types()) t (type);
select private.record_event('account.verified', null, null, '{"by": "a test"}');
select set_eq($$select e.type from platform.event e where e.data @> '{"by": "a test", "request_id": "one"}'$$, 'select unnest(private.refusal_types())',
  'a refusal, and nothing else, has the id of its request');
select is_empty('select * from platform.verify_events()', 'which the chains cover');

select * from finish();
rollback;
