begin;
select plan(1);
select is(private.failures_block(), interval '1 day', 'wrong codes in a row block verification for a day');

select * from finish();
rollback;
