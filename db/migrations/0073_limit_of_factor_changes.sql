-- Each change is an event that is kept for a year: without a limit one account could fill the disk.
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('FACTOR_CHANGES_PER_USER', 'limit', '"30/3600"', null, null, 'Second factors that one account begins to add, and new recovery codes');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d where d.key = 'FACTOR_CHANGES_PER_USER';
