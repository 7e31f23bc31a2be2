begin;
select plan(4);
select is(private.acr(null), null, 'a guest has none');
select is(private.acr(array['pwd']), 'aal1', 'one factor is aal1');
select is(private.acr(array['pwd', 'otp', 'mfa']), 'aal2', 'two factors are aal2');
select is(private.acr('{}'), 'aal1', 'none that is known is aal1');

select * from finish();
rollback;
