begin;
select plan(5);
select is(to_jsonb(private.error('INVALID_OTP')), '{"code": "INVALID_OTP", "details": null}',
  'an error has a code and null details');
select is(to_jsonb(private.error('INVALID_REQUEST', '{"field": "otp"}')), '{"code": "INVALID_REQUEST", "details": {"field": "otp"}}',
  'an error can have details');
select ok(private.error('INVALID_OTP') is distinct from null,
  'an error with null details is distinct from null, although "is not null" is false');
select is(to_jsonb(private.error(null)), null, 'without a code the error itself is null, not a row of null fields');
select is(to_jsonb(row(private.error(null), gen_random_uuid())::api.account_answer) -> 'error', 'null',
  'a null error is null in an answer too');

select * from finish();
rollback;
