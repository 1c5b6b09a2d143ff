import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { LinkedChunk } from '../../src/content/convert/formats/chunks.js'
import type { Evidence } from '../../src/features/json/citations.js'
import type { Menu } from '../../src/features/offers/menu.js'
import type { Product } from '../../src/features/offers/product.js'
import type { ChangeTracking } from '../../src/kernel/snapshot/change-tracking.js'
import type { Document, DocumentMetadata, DocumentOf, DocumentSince } from '../../src/kernel/page/document.js'
import type { Engine } from '../../src/kernel/engine/engine-surface.js'
import type { Job, BatchScrapeJob } from '../../src/kernel/job/job.js'
import type { Action, actionsSchema } from '../../src/kernel/options/fields/actions.js'
import type { BatchScrapeRequest, batchScrapeSchema } from '../../src/kernel/options/batch-options.js'
import type { CrawlRequest, crawlSchema } from '../../src/kernel/options/crawl-options.js'
import type { FormatItem } from '../../src/kernel/options/fields/formats.js'
import type { Location, locationSchema } from '../../src/kernel/options/fields/location.js'
import type { ParserItem, parsersSchema } from '../../src/kernel/options/fields/parsers.js'
import type { Profile, profileSchema, ScrapeOptions } from '../../src/kernel/options/scrape-options.js'
import type { scrapeSchema } from '../../src/kernel/options/scrape-schema.js'
import type { V1CrawlRequest, v1CrawlSchema } from '../../src/kernel/options/v1-options.js'
import type { Checked, CheckedBatch } from '../../src/kernel/options/fields/checked-request.js'

// Nothing here runs: the compiler is what proves it.
declare const engine: Engine
/** The type of the document that a job, or a scrape, gives. */
declare function documentOf<Doc>(given: AsyncIterable<Doc> | Promise<Doc>): Doc

const urls = ['https://example.com']
const url = 'https://example.com'

/** A list as it is when it may not be changed, all the way down. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T

describe('the options of calls', () => {
  it('may be undefined, as those of requests may', () => {
    type Range = { skip: number | undefined; limit: number | undefined }
    type Waiting = { signal: AbortSignal | undefined }
    expectTypeOf<Range>().toExtend<Parameters<Job<Document>['status']>[0]>()
    expectTypeOf<Range>().toExtend<Parameters<Engine['listJobs']>[0]>()
    expectTypeOf<Waiting>().toExtend<Parameters<Job<Document>['finished']>[0]>()
  })
})

describe('the type of a document', () => {
  it('has markdown when no formats are given', () => {
    const check = () => {
      expectTypeOf(documentOf(engine.batchScrape({ urls })).markdown).toEqualTypeOf<string>()
      expectTypeOf(documentOf(engine.crawl({ url })).markdown).toEqualTypeOf<string>()
      expectTypeOf(documentOf(engine.crawl({ url, scrapeOptions: { timeout: 5000 } })).markdown).toEqualTypeOf<string>()
      expectTypeOf(documentOf(engine.scrape(url)).markdown).toEqualTypeOf<string>()
      expectTypeOf(documentOf(engine.scrape(url, {})).html).toEqualTypeOf<string | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has the fields of the formats asked for, however they are written', () => {
    const check = () => {
      const page = documentOf(engine.batchScrape({ urls, formats: ['html', { type: 'links' }, 'rawHtml', 'images'] }))
      expectTypeOf(page.html).toEqualTypeOf<string>()
      expectTypeOf(page.rawHtml).toEqualTypeOf<string>()
      expectTypeOf(page.links).toEqualTypeOf<string[]>()
      expectTypeOf(page.images).toEqualTypeOf<string[]>()
      expectTypeOf(page.markdown).toEqualTypeOf<string | undefined>()
      const attributes = documentOf(
        engine.scrape(url, {
          formats: ['markdown', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'rel' }] }],
        }),
      )
      expectTypeOf(attributes.attributes).toEqualTypeOf<{ selector: string; attribute: string; values: string[] }[]>()
      expectTypeOf(attributes.markdown).toEqualTypeOf<string>()
      expectTypeOf(documentOf(engine.scrape(url, { formats: [] })).markdown).toEqualTypeOf<string | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has chunks, and Markdown whatever its options', () => {
    const check = () => {
      const page = documentOf(
        engine.scrape(url, {
          formats: [
            { type: 'markdown', links: 'reference', frontMatter: true, maxTokens: 4000 },
            { type: 'chunks', maxTokens: 300 },
          ],
        }),
      )
      expectTypeOf(page.markdown).toEqualTypeOf<string>()
      expectTypeOf(page.chunks).toEqualTypeOf<LinkedChunk[]>()
      expectTypeOf(documentOf(engine.scrape(url, { formats: ['chunks'] })).chunks).toEqualTypeOf<LinkedChunk[]>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has the fields of a format that is chosen at run time as ones that may be missing', () => {
    const check = (chosen: 'html' | 'links') => {
      const page = documentOf(engine.scrape(url, { formats: ['markdown', chosen] }))
      expectTypeOf(page.markdown).toEqualTypeOf<string>()
      expectTypeOf(page.html).toEqualTypeOf<string | undefined>()
      expectTypeOf(page.links).toEqualTypeOf<string[] | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has the formats of the scrape options of a crawl', () => {
    const check = () => {
      const page = documentOf(
        engine.crawl({
          url,
          limit: 5,
          scrapeOptions: { timeout: 5000, formats: ['links', 'changeTracking', 'markdown'] },
        }),
      )
      expectTypeOf(page.links).toEqualTypeOf<string[]>()
      expectTypeOf(page.changeTracking).toEqualTypeOf<ChangeTracking | undefined>()
      expectTypeOf(page.html).toEqualTypeOf<string | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has json of the type of its schema, which a model may leave open', () => {
    const check = () => {
      const schema = z.object({ title: z.string(), price: z.string().transform(Number) })
      const typed = documentOf(
        engine.crawl({
          url,
          scrapeOptions: { formats: ['markdown', { type: 'json', schema, prompt: 'the product' }] },
        }),
      )
      expectTypeOf(typed.json).toEqualTypeOf<{ title: string; price: number } | undefined>()
      expectTypeOf(typed).not.toExtend<{ json: object }>()
      expectTypeOf(typed.markdown).toEqualTypeOf<string>()
      const untyped = documentOf(
        engine.batchScrape({
          urls,
          formats: [{ type: 'json', schema: { type: 'object', properties: { a: {} } } }],
        }),
      )
      expectTypeOf(untyped.json).toEqualTypeOf<{ a?: unknown } | undefined>()
      expectTypeOf(documentOf(engine.scrape(url, { formats: ['json'] })).json).toEqualTypeOf<unknown>()
      const generated = documentOf(engine.scrape(url, { formats: [{ type: 'deterministicJson', schema }] }))
      expectTypeOf(generated.json).toEqualTypeOf<{ title: string; price: number } | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has the fields of formats that a model fills, or the page’s own data', () => {
    const check = () => {
      const schema = z.object({ n: z.number() })
      const page = documentOf(
        engine.scrape(url, {
          formats: [{ type: 'json', schema, mode: 'structured', evidence: true }, 'product', 'summary'],
        }),
      )
      expectTypeOf(page.json).toEqualTypeOf<{ n: number } | undefined>()
      expectTypeOf(page.evidence).toEqualTypeOf<Evidence[] | undefined>()
      expectTypeOf(page.product).toEqualTypeOf<Product | undefined>()
      expectTypeOf(page.summary).toEqualTypeOf<string | undefined>()
      expectTypeOf(documentOf(engine.scrape(url, { formats: ['menu'] })).menu).toEqualTypeOf<Menu | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('has every field as one that may be missing when the compiler does not know the formats', () => {
    const check = (
      formats: FormatItem[],
      request: BatchScrapeRequest,
      crawling: CrawlRequest,
      options: ScrapeOptions,
    ) => {
      expectTypeOf(documentOf(engine.batchScrape({ urls, formats }))).toEqualTypeOf<Document>()
      expectTypeOf(engine.batchScrape(request)).toEqualTypeOf<
        BatchScrapeJob<Document> | Promise<BatchScrapeJob<Document>>
      >()
      expectTypeOf(documentOf(engine.crawl(crawling))).toEqualTypeOf<Document>()
      expectTypeOf(documentOf(engine.scrape(url, options)).markdown).toEqualTypeOf<string | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('may lack each format in a crawl with `since`, whose unchanged pages have none', () => {
    const check = (since: string | undefined) => {
      const scrapeOptions = { formats: ['markdown', { type: 'chunks' }] } as const
      const page = documentOf(engine.crawl({ url, since: 'last', scrapeOptions }))
      expectTypeOf(page.markdown).toEqualTypeOf<string | undefined>()
      expectTypeOf(page.chunks).toEqualTypeOf<Document['chunks']>()
      expectTypeOf(documentOf(engine.crawl({ url, since: 'last' })).markdown).toEqualTypeOf<string | undefined>()
      const perhaps = documentOf(engine.crawl({ url, ...(since === undefined ? {} : { since }) }))
      expectTypeOf(perhaps.markdown).toEqualTypeOf<string | undefined>()
      expectTypeOf(documentOf(engine.crawl({ url, scrapeOptions })).markdown).toEqualTypeOf<string>()
      expectTypeOf<DocumentSince<['markdown']>>().toExtend<Document>()
      type Answer = { answer: string }
      const schema = z.object({ answer: z.string() })
      const asked = engine.crawl({ url, since: 'last', scrapeOptions: { formats: [{ type: 'json', schema }] } })
      expectTypeOf(documentOf(asked).json).toEqualTypeOf<Answer | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('is a document whatever its formats, with metadata', () => {
    expectTypeOf<DocumentOf<['markdown', 'summary', 'links']>>().toExtend<Document>()
    expectTypeOf<DocumentOf<['markdown']>['metadata']>().toEqualTypeOf<DocumentMetadata>()
    expectTypeOf<DocumentMetadata['statusCode']>().toEqualTypeOf<number>()
    expectTypeOf<DocumentMetadata['publishedTime']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<DocumentMetadata['keywords']>().toEqualTypeOf<string | string[] | undefined>()
    expectTypeOf<DocumentMetadata['deliveryId']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<DocumentMetadata['titel']>().toEqualTypeOf<unknown>()
    expectTypeOf<Document['extract']>().toEqualTypeOf<unknown>()
    expectTypeOf<Document['warning']>().toEqualTypeOf<string | undefined>()
  })
})

describe('a job that is found again', () => {
  it('has the documents that its caller names', () => {
    const check = async () => {
      type Page = DocumentOf<['markdown']>
      for (const job of await engine.resume<Page>()) expectTypeOf(documentOf(job).markdown).toEqualTypeOf<string>()
      const job = await engine.job<Page>('id')
      if (job) expectTypeOf(documentOf(job).markdown).toEqualTypeOf<string>()
      for (const one of await engine.resume()) expectTypeOf(documentOf(one)).toEqualTypeOf<Document>()
    }
    expectTypeOf(check).toBeFunction()
  })
})

describe('a request', () => {
  it('is refused by the compiler when a format does not exist, or lacks what it needs', () => {
    const check = () => {
      // @ts-expect-error no such format
      documentOf(engine.batchScrape({ urls, formats: ['markdwon'] }))
      // @ts-expect-error no such format
      documentOf(engine.crawl({ url, scrapeOptions: { formats: [{ type: 'text' }] } }))
      // @ts-expect-error selectors are needed
      documentOf(engine.scrape(url, { formats: ['attributes'] }))
      // @ts-expect-error a question is needed
      documentOf(engine.scrape(url, { formats: [{ type: 'question' }] }))
    }
    expectTypeOf(check).toBeFunction()
  })

  it('is refused by the compiler when an option does not exist, or has another type', () => {
    const check = () => {
      // @ts-expect-error a slip of the pen
      documentOf(engine.batchScrape({ urls, onlyMainContnet: true }))
      // @ts-expect-error a number of milliseconds
      documentOf(engine.crawl({ url, scrapeOptions: { timeout: '30s' } }))
      // @ts-expect-error one of the names
      documentOf(engine.crawl({ url, sitemap: 'ignore' }))
    }
    expectTypeOf(check).toBeFunction()
  })
})

describe('an interface and the schema beside it', () => {
  it('are the same type', () => {
    type Output<Schema extends (builder: typeof z) => z.ZodType> = Frozen<z.output<ReturnType<Schema>>>
    expectTypeOf<Output<typeof actionsSchema>>().toEqualTypeOf<Frozen<Action[]>>()
    expectTypeOf<Output<typeof locationSchema>>().toEqualTypeOf<Frozen<Location>>()
    expectTypeOf<Output<typeof parsersSchema>>().toEqualTypeOf<Frozen<ParserItem[]>>()
    expectTypeOf<Output<typeof profileSchema>>().toEqualTypeOf<Frozen<Profile>>()
    expectTypeOf<Output<typeof scrapeSchema>>().toEqualTypeOf<Frozen<ScrapeOptions>>()
    expectTypeOf<Output<typeof batchScrapeSchema>>().toEqualTypeOf<Frozen<CheckedBatch<BatchScrapeRequest>>>()
    expectTypeOf<Output<typeof crawlSchema>>().toEqualTypeOf<Frozen<Checked<CrawlRequest>>>()
    expectTypeOf<Output<typeof v1CrawlSchema>>().toEqualTypeOf<Frozen<Checked<V1CrawlRequest>>>()
  })
})
