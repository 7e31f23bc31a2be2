/**
 * One object type in place of a union of some, so that each of their members can be read without narrowing: those that
 * only some of them have are optional. null stays apart.
 */
export type Merged<Union> =
  ([Exclude<Union, null>] extends [never] ? never : MergedObject<Exclude<Union, null>>) | Extract<Union, null>;

type MergedObject<Union> = { [Name in Extract<keyof Union, string>]: Union[Name] } & {
  [Name in Exclude<NameIn<Union>, keyof Union>]?: ValueIn<Union, Name>;
};

type NameIn<Union> = Union extends object ? Extract<keyof Union, string> : never;
type ValueIn<Union, Name> = Union extends object ? (Name extends keyof Union ? Union[Name] : never) : never;
