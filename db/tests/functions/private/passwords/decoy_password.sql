begin;
select plan(15);
select test.clean_slate();
update private.decoy_key set key = '\x00';
create function pg_temp.decoy(phone text) returns text language sql
as $$ select row(private.password_cost(d.password_hash), d.foreign_parameters)::text from private.decoy_password(phone) d $$;
create function pg_temp.decoys(calling_code text) returns table (phone text, decoy text) language sql
as $$ select p, pg_temp.decoy(p) from (select calling_code || 2025550000 + n from generate_series(0, 59) n) g (p) $$;

select is(pg_temp.decoy('+12025550105'), '(,)', 'when no account has a password the decoy is null');
select test.set_setting('PASSWORD_HASH_COST', '5');
select test.make_account('+120255501' || n) from generate_series(10, 19) n;
select test.set_setting('PASSWORD_HASH_COST', '6');
select test.import_account('+120255501' || n, 'its parameters') from generate_series(30, 39) n;
-- Their ids decide whose decoy they are.
update "user".account a set id = ('00000000-0000-0000-0000-0000' || substr(a.phone, 5))::uuid;

select set_eq($$select decoy from pg_temp.decoys('+1')$$, array['(5,)', '(6,"its parameters")'],
  'decoys have the cost and the scheme of accounts');
select ok((select count(*) filter (where decoy <> next) > 10 from (select decoy, lead(decoy) over (order by phone) as next from pg_temp.decoys('+1')) d),
  'they change from phone to phone, not only behind the phone of an account: a change would give that one away');
select ok((select count(*) filter (where decoy = '(5,)') between 15 and 45 from pg_temp.decoys('+1')), 'about as often as accounts have them');
select results_eq($$select decoy from pg_temp.decoys('+1')$$, $$select decoy from pg_temp.decoys('+1')$$, 'a phone has always the same one');
create temp table before on commit drop as select * from pg_temp.decoys('+1');
update private.decoy_key set key = '\x01';
select isnt_empty($$select from before join pg_temp.decoys('+1') d using (phone) where d.decoy <> before.decoy$$,
  'which one depends on a key: without it nobody can tell phones that share an account''s decoy');

select matches((private.decoy_password('+12025550105')).password_hash, '^\$2a\$[0-3][0-9]\$.{53}$',
  'a decoy hash has the form that the table''s constraint requires');
select isnt(crypto.crypt(test.prehash('correct horse'), d.password_hash), d.password_hash, 'a password does not match a decoy hash')
from private.decoy_password('+12025550105') d;
insert into "user".account (id, phone, phone_verified_at) select private.new_id(), '+120255502' || n, now() from generate_series(10, 99) n;
select set_eq($$select decoy from pg_temp.decoys('+1')$$, array['(5,)', '(6,"its parameters")'], 'an account without a password is nobody''s decoy');
select test.import_account('+49151255501' || n, 'german parameters') from generate_series(10, 14) n;
select set_eq($$select decoy from pg_temp.decoys('+491')$$, array['(6,"german parameters")'],
  'a phone has the decoy of an account with the same first digits: users of one country may all be imported');
select isnt_empty($$select from pg_temp.decoys('+44') where decoy <> '(,)'$$, 'or of another one, where there is none');
-- Each account has parameters of its own, which show whose the decoy is.
select test.import_account('+331255501' || n, 'parameters ' || n) from generate_series(17, 19) n;
update "user".account a set id = ('00000000-0000-0000-0000-0001' || substr(a.phone, 5))::uuid where a.phone like '+331%';
select results_eq($$select d.foreign_parameters from generate_series(100, 159) n, private.decoy_password('+331255550' || n) d$$,
  $$select (
      select a.foreign_parameters from "user".account a, lateral (select substr(sha256(uuid_send(a.id)), 1, 8)) h (hash)
      where a.phone like '+331%' order by h.hash < p.position, h.hash limit 1
    )
    from generate_series(100, 159) n, private.decoy_key k,
      lateral (select substr(crypto.hmac(convert_to('+331255550' || n, 'UTF8'), k.key, 'sha256'), 1, 8)) p (position)$$,
  'it is that of the next account in the order of hashes, and after the last one that of the first');
-- Three accounts in two groups of first digits, whose hashes are in the opposite order of their phones; those of the
-- first two in another order from their second byte on
select test.clean_slate();
select test.import_account(phone, phone) from unnest(array['+12025550101', '+12035550101', '+12135550101']) phone;
create temp table id on commit drop as
select n.id, substr(sha256(uuid_send(n.id)), 1, 8) as hash, substr(sha256(uuid_send(n.id)), 2, 8) as later
from (select ('00000000-0000-0000-0000-0000000000' || n)::uuid from generate_series(10, 99) n) n (id);
create temp table chosen on commit drop as
select a.id as a, b.id as b, c.id as c from id a join id b on b.hash < a.hash and b.later > a.later join id c on c.hash < b.hash
order by c.hash desc limit 1;
update "user".account set id = case phone when '+12025550101' then a when '+12035550101' then b else c end from chosen;
select is((private.decoy_password('+447400123456')).foreign_parameters, '+12035550101',
  'where no account has the same first digits, it is that of the first account of the first group');
update "user".account set email = 'ada@example.com', email_verified_at = now() where phone = '+12135550101';
select set_eq($$select d.foreign_parameters from generate_series(100, 159) n, private.decoy_password('+447400123' || n) d$$, array['+12035550101'],
  'whoever has verified an email');
select set_eq($$select d.foreign_parameters from generate_series(100, 159) n, private.decoy_password(n || '@example.com') d$$, array['+12135550101'],
  'an email has the decoy of an account that has verified one');
select * from finish();
rollback;
