import type { ConvertPlan } from '../../src/convert/convert.js'
import type { DigestPlan } from '../../src/digest/digest.js'
import type { ExtractPlan } from '../../src/extract/extracted-page.js'
import type { ParsePlan } from '../../src/parse/parser.js'
import { parsePlan } from '../parse/pages.js'

/** What a caller who asks for nothing special gets: the main content as Markdown. */
export const digestPlan = ({
  onlyMainContent = true,
  includeTags = [],
  excludeTags = [],
  formats = [{ type: 'markdown' }],
  removeBase64Images = true,
  ...parse
}: Partial<ExtractPlan & ConvertPlan & ParsePlan> = {}): DigestPlan => ({
  parse: { ...parsePlan, ...parse },
  extract: { onlyMainContent, includeTags, excludeTags },
  convert: { formats, removeBase64Images },
})
