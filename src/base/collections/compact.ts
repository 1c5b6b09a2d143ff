/** Type of an object without its undefined fields: a field that may be undefined becomes optional. */
type Compact<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>
}

/**
 * Copies an object without its undefined fields, where it leaves for what tells these from absent ones: documents and
 * records that users see, `Object.keys`, and spreads over defaults.
 *
 * @example
 * compact({ url, country: undefined }) // { url }
 */
export function compact<Fields extends object>(fields: Fields): Compact<Fields>
export function compact(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
