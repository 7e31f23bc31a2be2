begin;
select plan(5);
-- The message that begins the transaction: db/races/identity.test.ts has others.
select latchkey.begin_request('{"sub": "a", "user_type": "user"}') where statement_timestamp() = now();
select private.seal_identity('{"sub": "a", "user_type": "user"}') where statement_timestamp() <> now();
select is(private.caller_claims() ->> 'sub', 'a', 'begin_request says who the caller is');
select function_privs_are('latchkey', 'begin_request', array['jsonb'], role, privileges, role || ' can execute: ' || privileges::text)
from (values
  ('latchkey_graphql', array['EXECUTE']), ('latchkey_user', '{}'), ('latchkey_admin', '{}'), ('latchkey_application', '{}')
) r (role, privileges);
select * from finish();
rollback;
