import type { Document } from '../../page/document.js'
import type { SearchHit } from '../../search/search-index.js'
import type { SearchOptions } from '../../search/search-options.js'
import type { JobTools } from '../job-tools.js'
import { JobEmitter } from '../lifecycle/job-emitter.js'

/** A job whose pages can be searched, in the index of this engine. */
export class SearchableJob extends JobEmitter<Document> {
  readonly id: string
  readonly #tools: Pick<JobTools, 'search'>

  constructor(id: string, tools: Pick<JobTools, 'search'>) {
    super()
    this.id = id
    this.#tools = tools
  }

  async search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]> {
    return this.#tools.search(query, options, this.id)
  }
}
