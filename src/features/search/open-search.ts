import { modelBudgetOf } from '../../base/accounting/budget.js'
import { TrawlError } from '../../base/errors.js'
import { Spending } from '../../base/llm/spending.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import type { EngineExtension } from '../../kernel/engine/feature.js'
import { createAsk } from './ask-pages.js'
import { ChunkEmbedding } from './chunk-embedding.js'
import { indexJob } from './index-pages.js'
import { file, temporary } from './indexes/index.js'
import type { SearchIndex } from './search-index.js'
import { createIndexSweep, createSearch } from './search-pages.js'

/** Creates the index of an engine: beside the file of the ledger, where it has one. */
function createIndex({ index, ledger }: EngineParts['settings']): SearchIndex {
  if (typeof index === 'object') return index
  if (typeof index === 'string') return file(index)
  return ledger.file ? file(`${ledger.file.path}-search`) : temporary()
}

/** Creates the index of an engine, which indexes its jobs and is searched. Nothing is opened before a job is indexed or searched. */
export function openSearch({ settings, pageTools, jobTools, jobs, closing }: EngineParts): EngineExtension {
  const { now, budget } = settings
  const { embedder } = jobTools
  const { model, partTokens } = pageTools
  const index = createIndex(settings)
  const { vectors } = index
  const embedding = embedder && vectors && new ChunkEmbedding({ vectors, embedder, closing })
  const isEverything = (settings.index ?? false) !== false
  const search = createSearch({ index, isEverything, embedding, now })
  const ask = createAsk({ search, model, partTokens, closing })
  const open = (): void => {
    closing.throwIfAborted()
    jobs.forgetExpired()
  }
  return {
    calls: {
      async search(query, options) {
        open()
        return search(query, options)
      },
      async ask(question, options = {}) {
        open()
        return ask(question, options, { spending: new Spending(modelBudgetOf(budget)) })
      },
    },
    job: (job) => indexJob(job, { index, embedding, now }),
    jobCalls: {
      async search(query, options) {
        return search(query, options, this.id)
      },
      async ask(question, options = {}) {
        const opened = this.openBudget()
        if (!opened) {
          const message = `job ${this.id} is run by another engine, which has its \`budget\`: call \`ask\` there`
          throw new TrawlError('BAD_REQUEST', message)
        }
        try {
          return await ask(question, options, { jobId: this.id, spending: opened.spending })
        } finally {
          await opened.record()
        }
      },
    },
    forgetExpired: createIndexSweep(index),
    release: () => index.close(),
  }
}
