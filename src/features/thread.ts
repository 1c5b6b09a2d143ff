import { serve } from '../content/digest/workers/worker.js'

// Entry of a worker thread: runs digests, page tasks, and the tasks of features.
serve(async () => {
  const [{ pageTasks }, { featureTasks }] = await Promise.all([
    import('../kernel/page/workers/page-tasks.js'),
    import('./tasks.js'),
  ])
  return { ...pageTasks, ...featureTasks }
})
