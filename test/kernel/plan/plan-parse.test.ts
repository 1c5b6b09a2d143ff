import { describe, expect, it } from 'vitest'
import { planParse } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { NO_FEATURE_OPTIONS } from '../../../src/kernel/options/option-definition.js'
import { parsePlan } from '../../content/parse/pages.js'

/** Returns the plan without its bounds. */
const plan = (options: Parameters<typeof planParse>[0]): object => {
  const {
    maxHtmlBytes: _bytes,
    maxDepth: _depth,
    maxNodes: _nodes,
    ...rest
  } = planParse(options, parsePlan, NO_FEATURE_OPTIONS.formats)
  return rest
}

describe('planParse', () => {
  it('leaves files to their parsers by default', () => {
    expect(plan({})).toEqual({})
    expect(plan({ parsers: ['pdf', 'image'] })).toEqual({})
  })

  it('returns files as base64 with `parsers: []`', () => {
    expect(plan({ parsers: [] })).toEqual({ asBase64: 'all' })
  })

  it('leaves out the kinds that `parsers` does not name', () => {
    expect(plan({ parsers: ['pdf'] })).toEqual({ skipsImages: true })
    expect(plan({ parsers: [{ type: 'image' }] })).toEqual({ asBase64: 'pdf' })
  })

  it('uses the last of several items for PDF files', () => {
    expect(
      plan({
        parsers: [
          { type: 'pdf', maxPages: 1 },
          { type: 'pdf', mode: 'fast', maxPages: 3, pageMarkers: true },
          'image',
          'pdf',
        ],
      }),
    ).toEqual({ pdf: { mode: 'fast', maxPages: 3, pageMarkers: true } })
    expect(plan({ parsers: [{ type: 'pdf' }, 'image'] })).toEqual({ pdf: {} })
  })
})
