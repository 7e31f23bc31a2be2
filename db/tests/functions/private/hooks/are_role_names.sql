begin;
select plan(11);
select is(private.are_role_names(roles), true, roles::text || ' are names of roles')
from unnest(array['[]', '["editor"]', '["org:admin", "a_b-c.d"]']::jsonb[]) roles;
select is(private.are_role_names(roles), false, roles::text || ' are not')
from unnest(array['"editor"', '{"editor": true}', 'null', '[""]', '["a,b"]', '[["a"]]', '["a", 1]', '["a\n"]']::jsonb[]) roles;
select * from finish();
rollback;
