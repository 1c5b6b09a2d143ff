import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { tools } from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'

/** The part of `ai` that is used. */
interface AiSdk {
  generateText(options: object): Promise<{ text: string; steps: readonly { content: readonly object[] }[] }>
  isStepCount(count: number): unknown
}

const opened = useEngineSite()

it('gives a model of the AI SDK answers, and errors to read', async () => {
  const { generateText, isStepCount } = createRequire(import.meta.url)('ai') as AiSdk
  await opened.open({ '/': htmlPage('Start', '<p>The word is harbour.</p>') }, { fetcher: 'http' })
  const prompts: string[] = []
  const calls = [
    { toolName: 'scrape', input: { url: opened.site.url('/') } },
    { toolName: 'crawl_read', input: { job: 'none' } },
    { toolName: 'scrape', input: { limit: 3 } },
  ]
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const model = {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async ({ prompt, tools: given }: { prompt: unknown; tools: readonly unknown[] }) => {
      prompts.push(JSON.stringify(prompt))
      expect(given).toContainEqual(
        expect.objectContaining({ name: 'map', inputSchema: expect.objectContaining({ required: ['url'] }) }),
      )
      const next = calls[prompts.length - 1]
      const toolCall = {
        type: 'tool-call',
        toolCallId: String(prompts.length),
        toolName: next?.toolName,
        input: JSON.stringify(next?.input),
      }
      const content = next ? [toolCall] : [{ type: 'text', text: 'The word is harbour.' }]
      const unified = next ? 'tool-calls' : 'stop'
      return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
    },
  }
  const { text } = await generateText({
    model,
    prompt: 'Which word?',
    tools: tools(opened.engine),
    stopWhen: isStepCount(9),
  })
  expect(text).toBe('The word is harbour.')
  expect(prompts[1]).toContain('The word is harbour.')
  expect(prompts[2]).toContain('is no crawl that these tools have started')
  expect(prompts[3]).toContain('Bad Request: url: missing; unknown option')
})
