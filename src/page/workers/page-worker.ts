import { serve } from '../../digest/workers/worker.js'
import { pageTasks } from './page-tasks.js'

// Entry of a worker thread: runs digests and page tasks.
serve(pageTasks)
