import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'

/**
 * Cookies, local storage and session data of a browser. They are stored under a name, and shared by all pages with this
 * name. Stored are up to 4 MiB of local storage and 4 MiB of databases for each site, 16 MiB of databases in all, and 20
 * sites.
 */
export interface Profile {
  /** Name, 1 to 128 characters. */
  name: string
  /** Save the changes that the page makes; otherwise the profile is only read. @default true */
  saveChanges?: boolean
}

/** Creates the schema of a {@link Profile}. @see docs/compatibility/requests.md#profiles @internal */
export const profileSchema = (z: SchemaBuilder) =>
  z.strictObject({
    name: z.string().min(1).max(128),
    saveChanges: z.boolean().optional(),
  } satisfies OptionSchemas<Profile>)
