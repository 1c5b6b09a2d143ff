import { basename, join } from 'node:path'
import { ReportPages } from './report-pages.js'
import type { PackedDocument, PageStory, ReportFacts } from './report-data.js'
import { ReportFile } from './report-file.js'
import type { ReportView } from './load-view.js'
import { StoryBlocks } from './story-blocks.js'

/** Maximum number of pages whose content is in one file. */
const MAX_PAGES = 20_000
/** Maximum size of their contents, compressed. It keeps the file open in less than two seconds. */
const MAX_BYTES = 48e6

/** Settings of a {@link PartWriter}. */
interface PartSettings {
  readonly report: ReportFile
  readonly view: ReportView
  /** List of all pages. */
  readonly list: ReportPages
  /** Folder of the files for further pages. */
  readonly folder: string
}

/** A file with the contents of further pages. */
interface Part {
  readonly file: ReportFile
  readonly list: ReportPages
  readonly documents: PackedDocument[]
  readonly blocks: StoryBlocks
}

type Place = readonly [part: number, block: number, place: number]

/** Writes the contents of pages: into the report, and into files beside it when there are too many for one file. */
export class PartWriter implements AsyncDisposable {
  readonly #settings: PartSettings
  readonly #blocks: StoryBlocks
  readonly #parts: Part[] = []
  #count = 0

  constructor(settings: PartSettings) {
    this.#settings = settings
    this.#blocks = new StoryBlocks('page', (text) => settings.report.append(text))
  }

  /**
   * Writes the content of a page.
   *
   * @param names of the page: its number, title and length
   * @returns where it is: the file, block and place. In a file beside the report the page has a number of its own, as place
   */
  async add(names: readonly [page: number, title: string, words: number], story: PageStory): Promise<Place> {
    const { report } = this.#settings
    const part = this.#parts.at(-1)
    const isFull = this.#count >= MAX_PAGES || (part?.file ?? report).bytes >= MAX_BYTES
    this.#count = isFull ? 1 : this.#count + 1
    const target = isFull ? await this.#open() : part
    if (!target) {
      const { block, place } = await this.#blocks.add(story)
      return [0, block, place]
    }
    const { list } = this.#settings
    const page = list.pages[names[0]]
    if (!page) throw new Error(`the report has no page ${names[0]}`)
    const number = target.list.copy(page, list)
    const { block, place } = await target.blocks.add(story)
    target.documents.push([number, names[1], names[2], 0, block, place])
    return [this.#parts.length, 0, number]
  }

  /** Completes the files. @returns the paths of those beside the report */
  async finish(facts: ReportFacts): Promise<readonly string[]> {
    await this.#blocks.end()
    const { report, view } = this.#settings
    for (const [index, { file, list, documents, blocks }] of this.#parts.entries()) {
      await blocks.end()
      const part = { number: index + 1, report: basename(report.path) }
      const others = { referrers: [], orphans: [], boilerplate: [] }
      const own = { texts: list.texts.list(), pages: list.pages, documents, ...others }
      await file.finish(view, { ...facts, part }, own)
    }
    return this.#parts.map(({ file }) => file.path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { file } of this.#parts) await file[Symbol.asyncDispose]()
  }

  async #open(): Promise<Part> {
    const { folder } = this.#settings
    const file = await ReportFile.create(join(folder, `${this.#parts.length + 1}.html`))
    const blocks = new StoryBlocks('page', (text) => file.append(text))
    const part = { file, list: new ReportPages(0), documents: [], blocks }
    this.#parts.push(part)
    return part
  }
}
