import { describe, expect, it } from 'vitest'
import { branding } from '../../../src/features/branding/branding.js'
import type { EnrichTools } from '../../../src/kernel/enrich/format.js'
import type { PageModel } from '../../../src/base/llm/page-model.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import { ModelError } from '../../../src/base/llm/llm.js'

const look = { colorScheme: 'light' as const, brandName: 'Harbour' }
const page = { url: 'https://harbour.test/', captures: { branding: look } } as unknown as FetchedPage
const chunks = [{ markdown: 'Ahoy! Come in, and bring your boat.', path: [], tokens: 12 }]

/** Produces the format with a model that gives this answer, if any. */
async function make(ask?: PageModel['ask'], text = chunks) {
  const model = ask && { partTokens: 10_000, ask }
  const tools = { inputs: { chunks: text, items: [] }, model } as unknown as EnrichTools
  return await branding.produce?.(page, { type: 'branding' }, tools, undefined)
}

describe('the format branding', () => {
  it('returns styles alone without a model, or without text', async () => {
    expect(await make()).toEqual({ fields: { branding: look } })
    const unasked = await make(() => Promise.reject(new Error('was asked')), [])
    expect(unasked).toEqual({ fields: { branding: look } })
  })

  it('adds the personality that a model infers from the text, as far as its answer conforms to the schema', async () => {
    const prompts: string[] = []
    const made = await make(async ({ prompt }) => {
      prompts.push(prompt)
      return { text: '{"tone":"playful","energy":"high","targetAudience":"sailors","colour":"red"}' }
    })
    expect(prompts[0]).toContain('bring your boat')
    expect(made?.fields.branding).toMatchObject({
      ...look,
      personality: { tone: 'playful', energy: 'high', targetAudience: 'sailors' },
    })
    const half = await make(async () => ({ text: '{"tone":"playful","energy":"boundless"}' }))
    expect(half?.fields.branding?.personality).toEqual({ tone: 'playful' })
  })

  it('returns styles with a warning when the model gives no answer', async () => {
    const silent = await make(async () => ({ text: 'I cannot say.' }))
    expect(silent).toMatchObject({ fields: { branding: look }, warnings: [expect.stringContaining('`personality`')] })
    const failed = await make(() => Promise.reject(new ModelError('the model is not there')))
    expect(failed).toMatchObject({ fields: { branding: look }, warnings: [expect.stringContaining('not there')] })
  })

  it('refuses a response that is not a page in a browser', async () => {
    const bare = { url: page.url } as FetchedPage
    const made = branding.produce?.(bare, { type: 'branding' }, {} as EnrichTools, undefined)
    await expect(made).rejects.toMatchObject({ code: 'SCRAPE_BRANDING_NOT_SUPPORTED' })
  })
})
