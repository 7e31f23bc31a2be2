begin;
select plan(2);
select is((private.factor_found_error('{}')).details ->> 'reason', 'factor_not_found', 'none is not found');
select is(private.factor_found_error(array[null::"user".factor]), null, 'one is');

select * from finish();
rollback;
