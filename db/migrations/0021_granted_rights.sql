create table private.granted_right (
  line text collate "C" primary key
);
comment on table private.granted_right is
  'What private.rights_in_force told at the end of the last migration: who owns, what our roles are granted, and the policies. '
  'A restore into a cluster that lacks the roles loses all of that; processes and migrations then refuse to start. '
  'Delete the line of a right that you took away on purpose.';
comment on column private.granted_right.line is 'One right, in words';
alter table private.granted_right enable row level security;
