begin;
select plan(4);
select test.clean_slate();
select test.insert_hits('A:x', clock_timestamp());

create temp table before on commit drop as select * from platform.rate_limit;
select results_eq($$select l::text from private.lock_rate_limit('A:x') l$$, 'select b::text from before b', 'the window of a key is returned as it is');
select is((select l::text from private.lock_rate_limit('B:x') l), '(B:x,{},{0},)', 'a key without a window gets an empty one');
select results_eq('select count(*)::integer from platform.rate_limit', 'select 2', 'the new window is stored');
select isnt((select l.xmax::text from platform.rate_limit l where l.key = 'A:x'), '0', 'the row is locked');

select * from finish();
rollback;
