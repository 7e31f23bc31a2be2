begin;
select plan(2);
select test.clean_slate();
create temp table imported on commit drop as select s.session_id, s.user_id from test.import_account('+12025550105', 'its parameters') i (id), test.open_session(i.id) s;
create function pg_temp.delete_imported(foreign_prehash text default null) returns text language sql
as $$ select (error).code from imported c, api.delete_account(c.session_id, c.user_id, test.prehash('correct horse'), null, test.code_key(), '192.0.2.1', foreign_prehash) $$;
select is(pg_temp.delete_imported(), 'FOREIGN_PREHASH_REQUIRED', 'an imported hash needs its own pre-hash');
select is(pg_temp.delete_imported(test.foreign_prehash('correct horse')), null, 'with that pre-hash the account is deleted');


select * from finish();
rollback;
