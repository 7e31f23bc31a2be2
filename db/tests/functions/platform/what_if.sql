begin;
select plan(4);
select test.clean_slate();
select test.make_decision('{"country_unverified": 1000, "at": "2026-03-04T10:00:00Z"}');
create temp table enforced on commit drop as select jsonb_build_object('FRAUD_COUNTRY', test.rule('FRAUD_COUNTRY')) as rules;
grant select on enforced to public;
set local role latchkey_admin;
select results_eq($$select w.rule, w.decisions, w.refused_now from enforced, platform.what_if(rules, '2026-03-04', '2026-03-05') w where w.rule = 'FRAUD_COUNTRY'$$,
  $$values ('FRAUD_COUNTRY', 1, 1)$$, 'the admin replays decisions under other settings');
select is((select count(*)::integer from platform.what_if('{}', '2026-03-04', '2026-03-05')), 7, 'there is a row per rule, and one for all');
select throws_like($$select platform.what_if('{"FRAUD_COUNTRY": {"mode": "perhaps"}}', '2026-03-04', '2026-03-05')$$, '%FRAUD_COUNTRY%',
  'a wrong setting is refused with a sentence');
select throws_ok($$select platform.what_if('{"OTP_LENGTH": 6}', '2026-03-04', '2026-03-05')$$, '23514', null, 'GraphQL may show that sentence to the client');
reset role;

select * from finish();
rollback;
