import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { estimateTokens } from '../../../src/content/convert/split/estimate-tokens.js'
import { type AgentTool, createEngine, createToolkit, type Engine, type Toolkit } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'

const docs = fileURLToPath(new URL('../../site/docs/', import.meta.url))
const MAX_TOKENS = 700
/** Maximum calls for one question. */
const MAX_STEPS = 12

let site: Site
let engine: Engine
let toolkit: Toolkit
beforeAll(async () => {
  site = await startSite()
  site.mount('/', docs)
  engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', threads: 0 })
  toolkit = createToolkit(engine, { search: true, maxTokens: MAX_TOKENS })
})
afterAll(async () => {
  await engine.close()
  await site.close()
})

/** A call that the model asks for, or its answer. */
type Step = { readonly call: string; readonly input: object } | { readonly answer: string }

/** A model: it is given the answers of its calls so far, and decides what is next. */
type Model = (answers: readonly string[]) => Step

const last = (answers: readonly string[]): string => answers.at(-1) ?? ''

/**
 * Plays a model that searches, reads the page of the best passage to its end, and then that of the next. It answers with the
 * first sentence that has what it looks for.
 */
const createModel = (query: string, wanted: RegExp): Model => {
  let urls: readonly string[] = []
  return (answers) => {
    const [, found] = wanted.exec(last(answers)) ?? []
    if (found !== undefined) return { answer: found }
    if (answers.length === 0) return { call: 'search', input: { query, limit: 5 } }
    if (answers.length === 1)
      urls = [...new Set(Array.from(last(answers).matchAll(/^URL: ([^#\s]+)/gm), ([, url = '']) => url))]
    const handle = /read_more with handle "([^"]+)"/.exec(last(answers))?.[1]
    if (handle !== undefined) return { call: 'read_more', input: { handle } }
    const [next, ...others] = urls
    urls = others
    return next === undefined ? { answer: 'I do not know' } : { call: 'scrape', input: { url: next } }
  }
}

const toolOf = (name: string): AgentTool => {
  const tool = toolkit.tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`the model asks for ${name}, which is no tool`)
  return tool
}

/** Runs the loop of an agent: calls what the model asks for until it answers. */
async function runAgent(model: Model): Promise<string> {
  const answers: string[] = []
  for (;;) {
    const step = model(answers)
    if ('answer' in step) return step.answer
    if (answers.length === MAX_STEPS) return 'too many steps'
    const text = await toolOf(step.call).run(step.input)
    expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TOKENS)
    answers.push(text)
  }
}

const questions: readonly (readonly [question: string, wanted: RegExp, answer: string])[] = [
  ['How exact is a run, in milliseconds on an idle machine?', /about (\w+ milliseconds)/, 'five milliseconds'],
  ['How many schedules can one server hold?', /(Ten thousand)/, 'Ten thousand'],
  ['Public holidays of how many countries are built in?', /holidays of (\d+ countries)/, '61 countries'],
  ['In which zone does a schedule without a zone run?', /without a `?zone`? runs in (\w+)/, 'UTC'],
  ['How is the Python client installed?', /(pip install \w+)/, 'pip install almanac'],
  ['What replaces catchup of version 1?', /(misfire = "\w+")/, 'misfire = "all"'],
  ['At which address is the HTTP API?', /at `?(http:\/\/127\.0\.0\.1:\d+\/v2)/, 'http://127.0.0.1:7676/v2'],
  ['Which file of the state directory has changes to a schedule?', /`?(\w+\.log)`?, every change/, 'plan.log'],
  ['Until when is version 1 answered?', /until the end of (\d{4})/, '2026'],
  ['How large is the static binary?', /static binary of (\d+)\s*MB/, '9'],
]

it('an agent answers ten questions over a documentation site that it has crawled', async () => {
  const url = site.url('/')
  expect(await toolOf('crawl_start').run({ url, waitSeconds: 60 })).toMatch(
    /Status: completed\nPages: 2\d scraped, 0 failed/,
  )
  const given: Record<string, string> = {}
  for (const [question, wanted] of questions) given[question] = await runAgent(createModel(question, wanted))
  expect(given).toEqual(Object.fromEntries(questions.map(([question, , answer]) => [question, answer])))
})
