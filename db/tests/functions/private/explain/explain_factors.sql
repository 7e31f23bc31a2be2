begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create function pg_temp.what() returns text language sql as $$ select e.what from private.explain_factors('+12025550101') e $$;
select is(pg_temp.what(), null, 'no wrong codes, no event');
select is_empty($$select private.explain_factors('+12025550109')$$, 'a phone without an account has none');
select private.count_factor_failure(id, private.lock_rate_limits(private.factor_rules(id))) from actor;
select is(pg_temp.what(), 'The latest 1 codes of the account''s second factors were wrong.', 'wrong ones are told');
select private.count_factor_failure(id, private.lock_rate_limits(private.factor_rules(id))) from actor, generate_series(1, 9);
select is(pg_temp.what(), 'Codes of the account''s second factors are refused now: the limit of wrong ones is reached.', 'so is their limit');
update "user".account set factor_failures = 100;
select is(pg_temp.what(), 'The account''s second factors are locked after 100 wrong codes in a row (MAX_ATTEMPTS_REACHED).', 'and the lock');

update "user".account set factor_failures = 0;
delete from platform.rate_limit;
select test.make_passkey(id, '\x01', 7) from actor;
update "user".factor set counter_went_back_at = '2026-11-01';
select is((select array_agg(e.at || e.what || e.details) from private.explain_factors('+12025550101') e), (
  select array['2026-11-01'::timestamptz || 'A passkey of the account was refused: its counter went back, so there may be a copy of it.key, ' || f.id]
  from "user".factor f
), 'a passkey of which there may be a copy is told, with the time');
update "user".account set email = 'ada@example.com';
select is_empty($$select private.explain_factors('ada@example.com')$$, 'an email that is not verified tells nothing of the account');
update "user".account set email_verified_at = now();
select isnt_empty($$select private.explain_factors('ada@example.com')$$, 'a verified one tells what the phone tells');
select * from finish();
rollback;
