import { asian } from './asian.js'
import { european } from './european.js'
import { germanic } from './germanic.js'
import { romance } from './romance.js'
import { slavic } from './slavic.js'
import { universal } from './universal.js'
import type { LanguageWords } from './words.js'

/** The words of all languages, by code. The first counts in every language. */
export const languages: Readonly<Record<string, LanguageWords>> = {
  ...universal,
  ...germanic,
  ...romance,
  ...slavic,
  ...european,
  ...asian,
}
