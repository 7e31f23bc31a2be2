begin;
select plan(14);
select test.clean_slate();
select private.record_event('session.opened', gen_random_uuid(), gen_random_uuid(), '{"amr": ["pwd"]}', '192.0.2.1');
create temp table written on commit drop as select e as event, e.hash from platform.event e;
create temp table zero on commit drop as select decode(repeat('00', 32), 'hex') as hash;

select is(private.event_hash(z.hash, w.event), w.hash, 'the hash of what was written is what was stored') from written w, zero z;
select is(length(private.event_hash(z.hash, w.event)), 32, 'it is a SHA-256') from written w, zero z;
set local timezone = 'Asia/Tokyo';
select is(private.event_hash(z.hash, w.event), w.hash, 'in every time zone') from written w, zero z;
reset timezone;
select isnt(private.event_hash(sha256(z.hash), w.event), w.hash, 'it changes with the hash before') from written w, zero z;
select isnt(private.event_hash(z.hash, jsonb_populate_record(w.event, change)), w.hash, 'and with ' || change::text)
from written w, zero z, jsonb_array_elements('[
  {"type": "session.revoked"}, {"at": "2026-01-01T00:00:00Z"}, {"user_id": null}, {"session_id": null}, {"actor": "admin"},
  {"data": {}}, {"position": 2}, {"id": "00000000-0000-7000-8000-000000000001"}
]') change;

select is(private.event_hash(z.hash, jsonb_populate_record(w.event, '{"client": null}')), w.hash, 'but not with the address') from written w, zero z;

-- By the definition, in words of its own: what was written once must verify in every version.
select is(
  private.event_hash(z.hash, row(
    '01990000-0000-7000-8000-000000000001', 'session.opened', '2026-11-28T10:00:00.123456Z', '01990000-0000-7000-8000-000000000002', null,
    'user', '192.0.2.1', '{"amr": ["pwd"]}', 3, 7, null
  )::platform.event),
  sha256(z.hash || convert_to(
    '[3, 7, "01990000-0000-7000-8000-000000000001", "session.opened", 1795860000123456, "01990000-0000-7000-8000-000000000002", null, "user", {"amr": ["pwd"]}]',
    'UTF8'
  )),
  'it is of this text'
) from zero z;

select * from finish();
rollback;
