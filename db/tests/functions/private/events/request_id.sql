begin;
select plan(4);
select is(private.request_id(), null, 'an operator''s transaction is of no request');
set local latchkey.request to '{"request_id": "one", "session_id": "another"}';
select is(private.request_id(), 'one', 'a request''s has its id');
select set_config('latchkey.request', jsonb_build_object('request_id', repeat('x', 200))::text, true);
select is(private.request_id(), repeat('x', 128), 'of which no more is kept than a server admits');
set local latchkey.request to '';
select is(private.request_id(), null, 'the next call of a batch does not have it, if it comes without one');

select * from finish();
rollback;
