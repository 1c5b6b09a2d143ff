import { createEngine, type Ledger, postgres } from 'trawl'
import type { TaskHandler, TaskQueue } from '../../src/kernel/ledger/task-queue.js'
import { OrderReader } from '../../src/features/machines/pages/page-order.js'
import { packMessage, type PageAnswer, unpackAnswer } from '../../src/features/machines/pages/page-task.js'
import { writeAnswer } from './write-answer.js'
import type { WorkerTask } from './run-worker.js'

/** A worker that answers at once: it scrapes a page when it is asked for it first, and then knows the answer. */
export interface AnswerTask extends WorkerTask {
  /** Makes the answers from that of one page in place of scraping each. @default false */
  readonly invents?: boolean
}

const { connectionString, schema, places, invents = false } = JSON.parse(process.argv[2] ?? '{}') as AnswerTask
const answers = new Map<string, string>()
/** Documents of pages that are asked for again, by `scrapeId`. */
const documents = new Map<string, string>()
const orders = new OrderReader()
const counts = { answered: 0, scraped: 0, again: 0 }
let model: Promise<PageAnswer> | undefined

/** Answers an order by the worker of the engine. */
async function scrape(handler: TaskHandler, payload: string, signal: AbortSignal): Promise<string> {
  counts.scraped += 1
  const answer = await handler.handle(payload, signal)
  if (answer === undefined) throw new Error('a page that is recorded was given up')
  return answer
}

async function convert(scrapeId: string): Promise<string> {
  counts.again += 1
  const known = documents.get(scrapeId)
  if (known !== undefined) return known
  for (const packed of answers.values()) {
    const answer = await unpackAnswer(packed)
    if (answer.kind !== 'page') continue
    const { document } = answer.page
    documents.set(document.metadata.scrapeId, await packMessage({ kind: 'document', document }))
  }
  return documents.get(scrapeId) ?? packMessage({ kind: 'declined' })
}

const answerWith =
  (handler: TaskHandler): TaskHandler['handle'] =>
  async (payload, signal) => {
    counts.answered += 1
    const order = await orders.read(payload)
    if (order.kind === 'convert') return convert(order.scrapeId)
    if (invents) {
      model ??= scrape(handler, payload, signal).then(async (packed) => await unpackAnswer(packed))
      return packMessage(writeAnswer(await model, order.url))
    }
    const answer = answers.get(order.url) ?? (await scrape(handler, payload, signal))
    answers.set(order.url, answer)
    return answer
  }

const ledger = postgres({ connectionString, schema }) as Ledger & { readonly tasks: TaskQueue }
const { tasks } = ledger
const answering: TaskQueue = {
  capacity: 0,
  follow: (version, onChange) => tasks.follow(version, onChange),
  send: (task, signal) => tasks.send(task, signal),
  work: (version, handler) => tasks.work(version, { places, handle: answerWith(handler) }),
}
const engine = createEngine({
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  ledger: { ...ledger, tasks: answering },
})
await engine.work({ concurrency: places })

// Any message of the parent asks for the counts so far.
process.on('message', () => process.send?.({ ...counts }))
process.on('disconnect', () => process.exit())
