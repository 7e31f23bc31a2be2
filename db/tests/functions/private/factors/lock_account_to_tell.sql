begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select is((private.lock_account_to_tell(id)).id, id, 'the account is locked') from actor;
select is((select count(*)::integer from platform.rate_limit where key = 'NOTICES_PER_IDENTIFIER:+12025550101'), 1, 'after the limit of its notices');
update "user".account set phone = null;
select is((private.lock_account_to_tell(id)).id, id, 'an account without a phone has no notices') from actor;

select * from finish();
rollback;
