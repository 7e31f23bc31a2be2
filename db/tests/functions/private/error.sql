begin;
select plan(5);
select is(to_jsonb(private.error('INVALID_OTP')), '{"code": "INVALID_OTP", "details": null}', 'an error has a code');
select is(to_jsonb(private.error('INVALID_REQUEST', '{"field": "otp"}')), '{"code": "INVALID_REQUEST", "details": {"field": "otp"}}', 'and may have details');
select ok(private.error('INVALID_OTP') is distinct from null, 'which "is distinct from null" sees in either case, unlike "is not null"');
select is(to_jsonb(private.error(null)), null, 'without a code there is no error, and not one whose fields are null');
select is(to_jsonb(row(private.error(null), gen_random_uuid())::api.account_answer) -> 'error', 'null', 'in an answer it is null too');

select * from finish();
rollback;
