begin;
select plan(2);
select test.clean_slate();
select test.make_account('+12025550101'), test.import_account('+12025550102');
select is((select private.is_imported(a) from "user".account a where a.phone = '+12025550101'), false, 'a password of this system is not imported');
select is((select private.is_imported(a) from "user".account a where a.phone = '+12025550102'), true, 'that of an import is');
select * from finish();
rollback;
