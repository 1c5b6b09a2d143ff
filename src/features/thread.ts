import { serve } from '../content/digest/workers/worker.js'

// Entry of a worker thread: runs digests, page tasks, and the tasks of features.
serve({
  async tasks() {
    const [{ pageTasks }, { featureTasks }] = await Promise.all([
      import('../kernel/page/workers/page-tasks.js'),
      import('./tasks.js'),
    ])
    return { ...pageTasks, ...featureTasks }
  },
  parts: async () => (await import('./digest-parts.js')).digestParts,
  rewriters: async () => (await import('./digest-parts.js')).digestRewriters,
})
