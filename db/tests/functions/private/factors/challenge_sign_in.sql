begin;
select plan(5);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

select test.make_factor(id) from actor;
create temp table answer on commit drop as
  select e.* from actor, private.challenge_sign_in(row(id, array['pwd'], '192.0.2.1', 'test', 'a label', null)::private.sign_in) e;
select is(details ->> 'reason', 'second_factor_required', 'the answer asks for a factor') from answer;
select is(details -> 'factors', '["totp"]', 'of the kinds that the account has, each once') from answer;
select is(c.id::text, details ->> 'challenge_id', 'it names the challenge') from private.factor_challenge c, answer;
select is((details ->> 'expires_at')::timestamptz, date_trunc('milliseconds', c.expires_at), 'and its end') from private.factor_challenge c, answer;
select is((c.sign_in).label || ' ' || c.session_epoch, 'a label 0', 'which keeps the first step') from private.factor_challenge c;

select * from finish();
rollback;
