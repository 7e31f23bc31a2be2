begin;
select plan(14);
select is(private.app_hashes_fault(value::jsonb), null, value || ' is valid') from (values ('[]'), ('["FA+9qCX9VSu", "abc/efghij1"]')) v (value);
select ok(private.app_hashes_fault(jsonb_build_array(hash)) like 'must hold hashes of apps, 11 characters%', hash::text || ' is not a hash')
from unnest(array['"FA+9qCX9VS"', '"FA+9qCX9VSuu"', '"FA-9qCX9VSu"', '""', '7', 'null', '"FA+9qCX9VSu\n"']::jsonb[]) hash;
select is(private.app_hashes_fault(value), 'must be an array of 100 hashes at most', value::text || ' is refused')
from unnest(array['"FA+9qCX9VSu"', '{}']::jsonb[]) value;
select is(private.app_hashes_fault((select jsonb_agg(lpad(i::text, 11, 'a')) from generate_series(1, n) i)), fault, n || ' hashes')
from (values (100, null), (101, 'must be an array of 100 hashes at most')) t (n, fault);

select is(private.app_hashes_fault(jsonb_build_array(repeat('x', 41))),
  'must hold hashes of apps, 11 characters of base64 each, not "' || repeat('x', 39), 'a long one is cut to 40 characters');

select * from finish();
rollback;
