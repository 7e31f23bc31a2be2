begin;
select plan(4);
select is(private.bcrypt('aabbccddeeff0011:one,bb:two', private.decoy_salt(4)), crypto.crypt('one', private.decoy_salt(4)) || ':aabbccddeeff0011',
  'it is bcrypt of the current pre-hash, with the name of its pepper');
select is(private.bcrypt('one', private.decoy_salt(4)), crypto.crypt('one', private.decoy_salt(4)), 'without a name there is none');
select is(private.bcrypt(null, private.decoy_salt(4)), null, 'of nothing there is no hash');
select is(private.bcrypt('aabbccddeeff0011:a+b/c=', private.decoy_salt(4)), crypto.crypt('a+b/c=', private.decoy_salt(4)) || ':aabbccddeeff0011',
  'all characters of base64 count');
select * from finish();
rollback;
