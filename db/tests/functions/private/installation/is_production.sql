begin;
select plan(3);
update private.installation set production = true;
select is(private.is_production(), true, 'a database that was migrated in production is of production');
update private.installation set production = false;
select is(private.is_production(), false, 'a database that was migrated elsewhere is not');
delete from private.installation;
select is(private.is_production(), true, 'where it is not known the stricter rules hold');

select * from finish();
rollback;
