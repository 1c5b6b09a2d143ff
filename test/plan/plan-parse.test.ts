import { describe, expect, it } from 'vitest'
import { planParse } from '../../src/plan/scrape/plan-parse.js'
import { parsePlan } from '../parse/pages.js'

/** What a request's options say beside the bounds. */
const plan = (options: Parameters<typeof planParse>[0]): object => {
  const { maxHtmlBytes: _bytes, maxDepth: _depth, maxNodes: _nodes, ...rest } = planParse(options, parsePlan)
  return rest
}

describe('how files are read', () => {
  it('is up to what reads them, where nothing is said', () => {
    expect(plan({})).toEqual({})
    expect(plan({ parsers: ['pdf', 'image'] })).toEqual({})
  })

  it('is not at all without parsers, and for the bytes themselves', () => {
    expect(plan({ parsers: [] })).toEqual({ asBase64: 'all' })
    expect(plan({ formats: ['rawBase64'] })).toEqual({ asBase64: 'all' })
    expect(plan({ formats: [{ type: 'rawBase64' }], parsers: ['pdf'] })).toEqual({ asBase64: 'all' })
  })

  it('is by the kinds that are named', () => {
    expect(plan({ parsers: ['pdf'] })).toEqual({ skipsImages: true })
    expect(plan({ parsers: [{ type: 'image' }] })).toEqual({ asBase64: 'pdf' })
  })

  it('is by what is said of PDF files, the last time it is said', () => {
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
