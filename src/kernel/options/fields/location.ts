import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'
import { mustBe } from '../../../base/issues/describe-issue.js'

/** Default of `location.country`. */
export const DEFAULT_COUNTRY = 'us-generic'

/** Emulated location of the visitor. */
export interface Location {
  /**
   * ISO 3166-1 alpha-2 code in either case, or `us-generic` or `us-whitelist`.
   *
   * @default 'us-generic'
   */
  country?: string
  /** Language tags (BCP 47) such as `de` or `pt-BR`, in order of preference. @default those of the country */
  languages?: readonly string[]
}

/** Creates the schema of a {@link Location}. @see docs/compatibility/requests.md#location @internal */
export const locationSchema = (z: SchemaBuilder) =>
  z.strictObject({
    country: z.string().refine(isCountryOption, mustBe('a country: a code of two letters such as `DE`')).optional(),
    languages: z.array(z.string().refine(isLanguage, mustBe('a language: a tag such as `de` or `pt-BR`'))).optional(),
  } satisfies OptionSchemas<Location>)

/** Tests for a language tag. @see https://www.rfc-editor.org/info/bcp47 */
function isLanguage(tag: string): boolean {
  try {
    return tag.length <= 100 && Intl.getCanonicalLocales(tag).length === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

const isCountryOption = (code: string): boolean => /^us-(generic|whitelist)$/i.test(code) || isCountry(code)

/** Tests for a country code, in either case. @see https://www.iso.org/iso-3166-country-codes.html */
export const isCountry = (code: string): boolean =>
  /^[a-z]{2}$/i.test(code) && regions.of(code.toUpperCase()) !== undefined
