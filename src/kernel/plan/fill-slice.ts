import type { AnyDefinitions, SliceName } from '../options/option-definition.js'

/** Names of the options that are passed on to a slice. */
type NamesOf<Definitions, Slice extends SliceName> = {
  [Name in keyof Definitions & string]: Definitions[Name] extends { readonly slice: Slice } ? Name : never
}[keyof Definitions & string]

/** Names of the options with a default. */
type FilledNames<Definitions> = {
  [Name in keyof Definitions & string]: Definitions[Name] extends { readonly default: unknown } ? Name : never
}[keyof Definitions & string]

type ValueOf<Definition> = Definition extends { readonly schema: (z: never) => { readonly _output: infer Value } }
  ? NonNullable<Value>
  : never

/** Options that are passed on to a slice. One with a default is always present. */
type Filled<Definitions, Slice extends SliceName> = {
  readonly [Name in NamesOf<Definitions, Slice> & FilledNames<Definitions>]: ValueOf<Definitions[Name]>
} & {
  readonly [Name in Exclude<NamesOf<Definitions, Slice>, FilledNames<Definitions>>]?: ValueOf<Definitions[Name]>
}

/**
 * Returns the options whose definition names a slice of the plan, with their defaults. Lists are copied, because plans
 * are frozen. An option without a default is absent when it is not given.
 */
export const fillSlice = <Definitions extends AnyDefinitions, Slice extends SliceName>(
  options: { readonly [Name in keyof Definitions]?: unknown },
  definitions: Definitions,
  slice: Slice,
): Filled<Definitions, Slice> =>
  Object.fromEntries(
    Object.entries(definitions).flatMap(([name, definition]) => {
      if (definition.slice !== slice) return []
      const value: unknown = options[name] ?? definition.default
      return value === undefined ? [] : [[name, Array.isArray(value) ? [...(value as unknown[])] : value]]
    }),
  ) as Filled<Definitions, Slice>
