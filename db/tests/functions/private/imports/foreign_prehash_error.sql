begin;
select plan(3);
select is(private.foreign_prehash_error(row('hash', 'its parameters')::private.stored_password, null),
  private.error('FOREIGN_PREHASH_REQUIRED', '{"parameters": "its parameters"}'), 'an imported hash needs its pre-hash');
select is(private.foreign_prehash_error(row('hash', 'its parameters')::private.stored_password, 'prehash') is distinct from null, false,
  'the pre-hash is requested once');
select is(private.foreign_prehash_error(row('hash', null)::private.stored_password, null) is distinct from null, false,
  'a native hash needs none');
select * from finish();
rollback;
