import { createHash, randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { ReportPages } from './report-pages.js'
import type { PackedDocument, PageStory, ReportFacts } from './report-data.js'
import { deleteFiles, ReportFile } from './report-file.js'
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
  /** Start of the id: derived from the name of the report, because `a.htm` and `a.html` have one folder. */
  readonly #name: string
  /** Id of the report in the names of its files, so that an earlier report never opens those of a later one. */
  readonly id: string
  #count = 0
  #isComplete = false

  constructor(settings: PartSettings) {
    this.#settings = settings
    this.#name = createHash('sha256').update(basename(settings.report.path)).digest('hex').slice(0, 8)
    this.id = `${this.#name}${randomBytes(4).toString('hex')}`
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

  /** Deletes the files of earlier reports of this name. To be called when the report has replaced them. */
  async deleteEarlier(): Promise<void> {
    this.#isComplete = true
    const { folder } = this.#settings
    const isPart = new RegExp(`^[1-9]\\d{0,5}-${this.#name}[0-9a-f]{8}\\.html$`)
    await deleteFiles(folder, (name) => isPart.test(name) && !name.includes(this.id))
  }

  /** Deletes the temporary files, and all files of a report that was not completed. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { file } of this.#parts) {
      await file[Symbol.asyncDispose]()
    }
    if (this.#isComplete || this.#parts.length === 0) return
    await deleteFiles(this.#settings.folder, (name) => this.#parts.some(({ file }) => basename(file.path) === name))
  }

  async #open(): Promise<Part> {
    const { folder } = this.#settings
    const file = await ReportFile.create(join(folder, `${this.#parts.length + 1}-${this.id}.html`))
    const blocks = new StoryBlocks('page', (text) => file.append(text))
    const part = { file, list: new ReportPages(0), documents: [], blocks }
    this.#parts.push(part)
    return part
  }
}
