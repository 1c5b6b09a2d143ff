import type { ConvertPlan } from '../../../src/content/convert/convert.js'
import type { DigestPlan } from '../../../src/content/digest/digest.js'
import type { ExtractPlan } from '../../../src/content/extract/extracted-page.js'
import type { ParsePlan } from '../../../src/content/parse/parser.js'
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
