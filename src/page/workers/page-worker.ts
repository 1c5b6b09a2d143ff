import { serve } from '../../digest/workers/worker.js'

// Entry of a worker thread: runs digests and page tasks.
serve(async () => (await import('./page-tasks.js')).pageTasks)
