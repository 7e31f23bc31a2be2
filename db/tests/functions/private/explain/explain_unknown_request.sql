begin;
select plan(5);
create function pg_temp.what(id text) returns text language sql as $$ select e.what from private.explain_unknown_request(what.id) e $$;

select is(pg_temp.what('0b55f6a8-ffb1-4ac0-b3c9-7ed0f0d6c1a1'), 'No refusal of this request is stored.', 'of a request that no event tells');
select ok((select e.details from private.explain_unknown_request('one') e)
  like '%older than ' || (private.setting('EVENT_RETENTION_DAYS') #>> '{}') || ' days (EVENT_RETENTION_DAYS)%policy.', 'every reason is told why that can be');
select is(pg_temp.what(repeat('x', 128)), 'No refusal of this request is stored.', 'an id has up to 128 characters');
select is(array[pg_temp.what(repeat('x', 129)), pg_temp.what('a b'), pg_temp.what(''), pg_temp.what(null)], array_fill('This is no id of a request.'::text, array[4]),
  'what no server admits is no id');
select ok((select e.details from private.explain_unknown_request('a b') e) like 'it is in the answer''s header X-Request-Id: %', 'and where one is found is told');

select * from finish();
rollback;
