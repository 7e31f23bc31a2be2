begin;
select plan(26);
select is(private.template_fault('name', to_jsonb(text)), null, text || ' is a valid text')
from (values ('{{code}}'), ('{{code}} {{minutes}} {{code}}'), ('{code} {{code}}'), ('{{code}} }} {{')) t (text);
select is(private.template_fault('name', template), 'name must be a text that holds {{code}}', coalesce(template::text, 'null') || ' is not a valid text')
from (values ('"Code"'::jsonb), ('"{{minutes}}"'), ('7'), ('null'), ('["{{code}}"]'), ('"{{ code }}"'), (null)) t (template);
select is(private.template_fault('name', to_jsonb(text)), 'name may hold {{code}} and {{minutes}}, not ' || unknown, text || ' holds an unknown placeholder')
from (values ('{{code}} {{minute}}', '{{minute}}'), ('{{other}} {{code}} {{minutes}} {{more}}', '{{other}}'), ('{{code}} {{Code}}', '{{Code}}')) t (text, unknown);
select is(private.template_fault('name', to_jsonb('{{code}} {{' || repeat('x', 50) || '}}')), 'name may hold {{code}} and {{minutes}}, not {{' || repeat('x', 38),
  'a long unknown placeholder is named by its first 40 characters');
select is(private.template_fault('name', to_jsonb(repeat('ß', 992) || '{{code}}')), null, 'a text of 1000 characters is valid');
select is(private.template_fault('name', to_jsonb(repeat('ß', 993) || '{{code}}')), 'name must be 1000 characters at most',
  'a text of 1001 characters is invalid');

-- A notice
select is(private.template_fault('name', to_jsonb(text), false), null, text || ' is a valid text') from (values ('Your number has changed'), ('{code}')) t (text);
select is(private.template_fault('name', template, false), 'name must be a text', coalesce(template::text, 'null') || ' is not a valid text')
from (values ('7'::jsonb), ('null'), ('""'), (null)) t (template);
select is(private.template_fault('name', '"Code {{code}}"', false), 'name is a notice without a code: it may hold no {{…}}', 'a placeholder is refused');
select is(private.template_fault('name', to_jsonb(repeat('ß', 1000)), false), null, 'a text of 1000 characters is valid');
select is(private.template_fault('name', to_jsonb(repeat('ß', 1001)), false), 'name must be 1000 characters at most', 'a longer one is not');

select * from finish();
rollback;
