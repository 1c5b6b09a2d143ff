import { serve } from '../../digest/workers/worker.js'
import { pageWorks } from './page-works.js'

// The entry of a worker thread: digests, and what else is read of a page's bytes.
serve(pageWorks)
