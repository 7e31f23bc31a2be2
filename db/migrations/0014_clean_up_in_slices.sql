create type delivery.clean_up_progress as (step integer, page bigint);
comment on type delivery.clean_up_progress is
  'How far a clean-up has come: the table, by its number in delivery.clean_up, and its first page that was not looked at. '
  'step is null when all are done';
