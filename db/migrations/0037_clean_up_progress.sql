-- The clean-up begins with nulls, and accounts are erased by delivery.erase_due_account.
comment on type delivery.clean_up_progress is
  'How far a clean-up has come: the table, by its number in delivery.clean_up, and its first page that was not read yet. '
  'step is null before the first call, and when all tables are done';
