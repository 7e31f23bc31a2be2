begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
select test.import_account('+12025550102');
create function pg_temp.renewed(phone text) returns text language sql
as $$ select private.renew_password_hash(a, test.prehash('correct horse')) from "user".account a where a.phone = renewed.phone $$;
select is(pg_temp.renewed('+12025550101'), null, 'a hash at PASSWORD_HASH_COST is not renewed');
select is(crypto.crypt(test.prehash('correct horse'), h), h, 'an imported hash is, although it has the same cost, for the typed password')
from pg_temp.renewed('+12025550102') h;
select test.set_setting('PASSWORD_HASH_COST', '5');
select is(substr(pg_temp.renewed('+12025550101'), 1, 7), '$2a$05$', 'a hash at a lower cost is renewed at PASSWORD_HASH_COST');
select test.make_account('+12025550103');
select test.set_setting('PASSWORD_HASH_COST', '4');
select is(substr(pg_temp.renewed('+12025550103'), 1, 7), '$2a$04$', 'so is one at a higher cost');
select is(crypto.crypt(test.prehash('correct horse'), h), h, 'for the same password') from pg_temp.renewed('+12025550103') h;
update "user".account set password_hash = null, foreign_parameters = null;
select is(pg_temp.renewed('+12025550103'), null, 'without a password there is nothing to renew');
select * from finish();
rollback;
