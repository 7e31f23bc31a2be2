begin;
select plan(1);
select is(private.verification_state_lifetime(), interval '30 days', 'wrong codes in a row are kept for 30 days');

select * from finish();
rollback;
