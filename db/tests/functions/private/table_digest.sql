begin;
select plan(3);
select is(private.table_digest('public', 'note'), left(encode(sha256('public.note'), 'hex'), 32), 'a table is named by a digest of its name');
select isnt(private.table_digest('public', 'notes'), private.table_digest('public', 'note'), 'another one by another');
select isnt(private.table_digest('shop', 'note'), private.table_digest('public', 'note'), 'of another schema, too');
select * from finish();
rollback;
