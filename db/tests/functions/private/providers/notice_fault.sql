begin;
select plan(9);
select is(private.notice_fault('name', to_jsonb(text)), null, text || ' is a valid text') from (values ('Your number has changed'), ('{code}')) t (text);
select is(private.notice_fault('name', template), 'name must be a text', coalesce(template::text, 'null') || ' is not a valid text')
from (values ('7'::jsonb), ('null'), ('""'), (null)) t (template);
select is(private.notice_fault('name', '"Code {{code}}"'), 'name is a notice without a code: it may hold no {{…}}', 'a placeholder is refused');
select is(private.notice_fault('name', to_jsonb(repeat('ß', 1000))), null, 'a text of 1000 characters is valid');
select is(private.notice_fault('name', to_jsonb(repeat('ß', 1001))), 'name must be 1000 characters at most', 'a longer one is not');

select * from finish();
rollback;
