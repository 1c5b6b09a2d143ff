import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Engine } from '../../src/kernel/engine/engine-surface.js'
import type { List, ListRow } from '../../src/index.js'

// Nothing here runs: the compiler is what proves it.
declare const engine: Engine
declare function documentOf<Doc>(given: AsyncIterable<Doc> | Promise<Doc>): Doc

const url = 'https://example.com'

describe('the type of a list', () => {
  it('has rows with the names of the page', () => {
    const check = () => {
      const page = documentOf(engine.scrape(url, { formats: ['list', 'markdown'] }))
      expectTypeOf(page.list.items).toEqualTypeOf<ListRow[]>()
      expectTypeOf(page.markdown).toEqualTypeOf<string>()
      expectTypeOf(documentOf(engine.scrape(url)).list).toEqualTypeOf<List | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has rows with the output type of a Standard Schema', () => {
    const check = () => {
      const schema = z.object({ name: z.string(), on: z.string().transform((text) => new Date(text)) })
      type Row = z.output<typeof schema>
      const page = documentOf(engine.scrape(url, { formats: [{ type: 'list', schema, all: true }, 'links'] }))
      expectTypeOf(page.list.items).toEqualTypeOf<Row[]>()
      expectTypeOf(page.links).toEqualTypeOf<string[]>()
      expectTypeOf(page.metadata.statusCode).toEqualTypeOf<number>()
      const job = engine.batchScrape({ urls: [url], formats: [{ type: 'list', schema }] })
      expectTypeOf(documentOf(job).list.items).toEqualTypeOf<Row[]>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has rows with the type of a literal JSON Schema, and of unknown values with any other', () => {
    const check = () => {
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
      const typed = documentOf(engine.scrape(url, { formats: [{ type: 'list', schema }] }))
      expectTypeOf(typed.list.items).toEqualTypeOf<{ name: string }[]>()
      const any: object & { readonly [keyword: string]: unknown } = schema
      const page = documentOf(engine.scrape(url, { formats: [{ type: 'list', schema: any }] }))
      expectTypeOf(page.list.items).toEqualTypeOf<Record<string, unknown>[]>()
      expectTypeOf(page.list.invalidItems?.[0]?.issues).toEqualTypeOf<string[] | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })
})
