/** Object that its owner still changes: the fields of a type that others only read. */
export type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }
