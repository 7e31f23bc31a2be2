begin;
select plan(3);
select test.clean_slate();
select is(private.use_proof(sha256('one')), true, 'a proof is good once');
select is(private.use_proof(sha256('one')), false, 'and not again');
select is(private.use_proof(sha256('two')), true, 'another one is');
select * from finish();
rollback;
