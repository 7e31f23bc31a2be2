begin;
select plan(10);
select test.clean_slate();
select test.make_account('+12025550101');
select test.import_account('+12025550102');
-- The new hash, and then the old one again.
create function pg_temp.renewed(phone text, prehash text default test.prehash('correct horse')) returns text language plpgsql
as $$
declare
  v_before "user".account := (select a from "user".account a where a.phone = renewed.phone);
  v_hash text;
begin
  perform private.renew_password_hash(v_before.id, renewed.prehash);
  v_hash := (select a.password_hash from "user".account a where a.phone = renewed.phone);
  update "user".account a set password_hash = v_before.password_hash where a.phone = renewed.phone;
  update "user".account a set foreign_parameters = v_before.foreign_parameters where a.phone = renewed.phone;
  return nullif(v_hash, v_before.password_hash);
end
$$;
select is(pg_temp.renewed('+12025550101'), null, 'a hash at PASSWORD_HASH_COST is not renewed');
select is(crypto.crypt(test.prehash('correct horse'), h), h, 'an imported hash is, although it has the same cost, for the typed password')
from pg_temp.renewed('+12025550102') h;
select test.set_setting('PASSWORD_HASH_COST', '5');
select is(substr(pg_temp.renewed('+12025550101'), 1, 7), '$2a$05$', 'a hash at a lower cost is renewed at PASSWORD_HASH_COST');
select test.make_account('+12025550103');
select test.set_setting('PASSWORD_HASH_COST', '4');
select is(substr(pg_temp.renewed('+12025550103'), 1, 7), '$2a$04$', 'so is one at a higher cost');
select is(crypto.crypt(test.prehash('correct horse'), h), h, 'for the same password') from pg_temp.renewed('+12025550103') h;
update "user".account set password_hash = private.bcrypt('aaaaaaaaaaaaaaaa:old', private.decoy_salt(4)) where phone = '+12025550103';
select is(pg_temp.renewed('+12025550103', 'aaaaaaaaaaaaaaaa:old'), null, 'a hash of the current pepper is not renewed');
select is(pg_temp.renewed('+12025550103', 'aaaaaaaaaaaaaaaa:old,bbbbbbbbbbbbbbbb:new'), null, 'nor while another one is only verified');
select is(right(h, 17), ':bbbbbbbbbbbbbbbb', 'one of the previous pepper is, under the current one') from pg_temp.renewed('+12025550103', 'bbbbbbbbbbbbbbbb:new,aaaaaaaaaaaaaaaa:old') h;
select is(private.is_hash_of('bbbbbbbbbbbbbbbb:new', h), true, 'for its pre-hash') from pg_temp.renewed('+12025550103', 'bbbbbbbbbbbbbbbb:new,aaaaaaaaaaaaaaaa:old') h;
update "user".account set password_hash = null, foreign_parameters = null;
select is(pg_temp.renewed('+12025550103'), null, 'without a password there is nothing to renew');
select * from finish();
rollback;
