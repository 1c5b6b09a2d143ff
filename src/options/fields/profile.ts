import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'

/**
 * Cookies, local storage and session data of a browser, kept under a name and shared by all who give that name. Of a site
 * up to 4 MiB of local storage and 4 MiB of databases are kept, 16 MiB of databases in all, and 20 sites.
 */
export interface Profile {
  /** Name, 1 to 128 characters. */
  name: string
  /** Save changes of the page; otherwise the profile is only read. @default true */
  saveChanges?: boolean | undefined
}

/** @see docs/compatibility.md#profiles @internal */
export const profileSchema = (z: SchemaBuilder) =>
  z.strictObject({
    name: z.string().min(1).max(128),
    saveChanges: z.boolean().optional(),
  } satisfies OptionSchemas<Profile>)
