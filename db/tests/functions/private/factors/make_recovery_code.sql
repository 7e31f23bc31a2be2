begin;
select plan(3);
create temp table made on commit drop as select private.make_recovery_code() as code from generate_series(1, 200);
select is_empty($$select code from made where code !~ '^[0-9A-HJKMNP-TV-Z]{10}$'$$, 'a code has ten characters that nobody confuses');
select is((select count(distinct code)::integer from made), 200, 'no two are the same');
select is((select count(distinct c)::integer from made, regexp_split_to_table(code, '') c), 32, 'all 32 characters are used');

select * from finish();
rollback;
