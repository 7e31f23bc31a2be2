begin;
select plan(12);
select test.clean_slate();
create temp table ids on commit drop as
  select p.phone, test.make_account(p.phone) as id
  from unnest(array['+22997123456', '+5215512345678', '+525512345678', '+12025550101', '+2290197123457']) p (phone);
select test.open_session(id) from ids;
create function pg_temp.phone_of(former text) returns text language sql
as $$ select a.phone from "user".account a join ids i using (id) where i.phone = former $$;
create temp table renumbered on commit drop as select * from private.renumber();
select set_eq('select account_id, holder_id from renumbered', $$select i.id, h.id as holder_id from ids i left join ids h on h.phone = '+525512345678' and i.phone = '+5215512345678'
  where i.phone in ('+22997123456', '+5215512345678')$$, 'each account with a former number is named, with the one that has the new form');
select is(pg_temp.phone_of('+22997123456'), '+2290197123456', 'the account gets the new form');
select is(pg_temp.phone_of('+5215512345678'), '+5215512345678', 'unless another account has it: that is for people to decide');
select is(pg_temp.phone_of('+525512345678'), '+525512345678', 'which keeps it, too');
select set_eq($$select phone from "user".account$$, array['+2290197123456', '+5215512345678', '+525512345678', '+12025550101', '+2290197123457'], 'no other phone changes');
select is((select count(*)::integer from "user".session where revoked_at is null), 5, 'all sessions stay');
select is((select count(*)::integer from "user".account where password_hash is not null), 5, 'and all passwords');
select results_eq('select account_id, phone from private.earlier_phone', $$select id, phone from ids where phone = '+22997123456'$$,
  'an erasure finds what is stored under the old form');
select is((select array_agg(holder_id is null) from private.renumber()), array[false], 'a second call names the other account again, and changes nothing');
update "user".account set phone = null where phone = '+525512345678';
select is((select array_agg(holder_id is null) from private.renumber()), array[true], 'once the new form is free, it gets it');

-- A change of plan that comes after this version
select is((select count(*)::integer from private.renumber('^\+1202', '+1771') where holder_id is null), 1, 'an operator names the change');
select is(pg_temp.phone_of('+12025550101'), '+17715550101', 'and the phone is changed as said');
select * from finish();
rollback;
