begin;
select plan(8);
create temp table now on commit drop as select floor(extract(epoch from clock_timestamp()) / 30)::bigint as step;
create function pg_temp.step(steps integer, last_step bigint default null) returns bigint language sql
as $$ select private.totp_step(test.totp_secret(), private.totp_code(test.totp_secret(), step + steps), last_step) from now $$;
select is(pg_temp.step(0), step, 'the code of now is right') from now;
select is(pg_temp.step(-1), step - 1, 'the code of a step before is right') from now;
select is(pg_temp.step(1), step + 1, 'the code of a step after is right') from now;
select is(pg_temp.step(-3), null, 'an older code is wrong');
select is(pg_temp.step(3), null, 'a later code is wrong');
select is(pg_temp.step(0, step), null, 'a step that was used is wrong') from now;
select is(pg_temp.step(-1, step), null, 'an earlier step than the one that was used is wrong') from now;
select is(pg_temp.step(1, step), step + 1, 'a later step than the one that was used is right') from now;

select * from finish();
rollback;
