begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

create temp table answer on commit drop as
  select s.* from actor, private.answer_challenge(private.live_challenge(test.challenge(actor.id), 'login'), array['otp'], '192.0.2.9', 'other') s;
select is(amr || array[acr], array['pwd', 'otp', 'mfa', 'aal2'], 'the session has both factors') from answer;
select is(s.client || ' ' || s.user_agent || ' ' || s.label, '192.0.2.9 other a label', 'the label of the first step, and the client of the second') from "user".session s;
select isnt(used_at, null, 'the challenge is used') from private.factor_challenge;
select is((select count(*)::integer from "user".session), 1, 'one session is opened');

select * from finish();
rollback;
